package profiles

import "github.com/limina-mcp/limina/internal/yamlfile"

// entry is one profile as a file states it.
type entry struct {
	name    string
	line    int
	replace bool
	grants  []Permission
	extends []yamlfile.Item
}

// parse reads a profile file into its entries, in the file's order.
func parse(data []byte) ([]entry, error) {
	f, err := yamlfile.Only(data, "profiles")
	if err != nil {
		return nil, err
	}
	return parseProfiles(f.Value)
}

func parseProfiles(n yamlfile.Node) ([]entry, error) {
	fields, err := n.Mapping("profiles")
	if err != nil {
		return nil, err
	}
	entries := make([]entry, 0, len(fields))
	for _, f := range fields {
		if err := checkName("profile name", f.Key); err != nil {
			return nil, yamlfile.Errorf(f.Line, "%v", err)
		}
		e, err := parseProfile(f)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func parseProfile(profile yamlfile.Field) (entry, error) {
	e := entry{name: profile.Key, line: profile.Line}
	fields, err := profile.Value.Mapping("profile " + profile.Key)
	if err != nil {
		return e, err
	}
	says := false
	for _, f := range fields {
		switch f.Key {
		case "grants":
			says = true
			e.grants, err = parseGrants(f)
		case "extends":
			says = true
			e.extends, err = f.Strings()
		case "replace":
			e.replace, err = f.Bool()
		default:
			err = yamlfile.Errorf(f.Line, "profile %s: unknown key %q, allowed: extends, grants, replace", e.name, f.Key)
		}
		if err != nil {
			return e, err
		}
	}
	if !says {
		return e, yamlfile.Errorf(e.line, "profile %s: states neither grants nor extends; to grant nothing, say grants: []", e.name)
	}
	return e, nil
}

func parseGrants(f yamlfile.Field) ([]Permission, error) {
	items, err := f.Strings()
	if err != nil {
		return nil, err
	}
	ps := make([]Permission, 0, len(items))
	for _, it := range items {
		p := Permission(it.Text)
		if err := p.Check(); err != nil {
			return nil, yamlfile.Errorf(it.Line, "%v", err)
		}
		if p == Anyone {
			return nil, yamlfile.Errorf(it.Line, "grants: everybody holds %q anyway: leave it out", p)
		}
		ps = append(ps, p)
	}
	return ps, nil
}
