package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/limina-mcp/limina/internal/yamlfile"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// minToken is the shortest token, in bytes: what is shorter can be guessed.
const minToken = 16

// Tokens say who may come in. They keep no token, only its hash, and are safe for concurrent use.
type Tokens struct {
	byHash map[[sha256.Size]byte]mcp.Credential
}

// tokenEntry names a token, or its hash, and what it stands for.
type tokenEntry struct {
	line                     int
	token, sha256, principal string
	profiles                 []string
}

// LoadTokens reads a file of tokens, YAML or JSON; known are the profiles that it may name:
//
//	tokens:
//	  - token: 3b1f0c2e9a7d4f60          # 16 characters at least …
//	    principal: ada                   # the agent id; "fleet-*" is any that begins with fleet-
//	    profiles: [builder.readWrite]    # the first is what a standard MCP session gets
//	  - sha256: 9f86d081884c7d65…        # … or its hash, in hex
//	    principal: grace
//	    profiles: [reviewer]
func LoadTokens(path string, known *profiles.Set) (*Tokens, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseTokens(data, path, known)
}

// ParseTokens is LoadTokens for the text of a file; errors call it name.
func ParseTokens(data []byte, name string, known *profiles.Set) (*Tokens, error) {
	entries, err := readTokens(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s: no tokens: want a list under the key tokens", name)
	}
	t := &Tokens{byHash: map[[sha256.Size]byte]mcp.Credential{}}
	for i, e := range entries {
		hash, err := e.check(known)
		if err == nil {
			if _, twice := t.byHash[hash]; twice {
				err = fmt.Errorf("the token is there twice")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: tokens[%d]: %w", name, e.line, i, err)
		}
		t.byHash[hash] = mcp.Credential{Principal: e.principal, Profiles: e.profiles}
	}
	return t, nil
}

// readTokens returns the entries of a file.
func readTokens(data []byte) ([]tokenEntry, error) {
	f, err := yamlfile.Only(data, "tokens")
	if err != nil {
		return nil, err
	}
	items, err := f.List()
	if err != nil {
		return nil, err
	}
	entries := make([]tokenEntry, len(items))
	for i, item := range items {
		if entries[i], err = readToken(item, fmt.Sprintf("tokens[%d]", i)); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// readToken returns one entry; errors call it what.
func readToken(n yamlfile.Node, what string) (tokenEntry, error) {
	e := tokenEntry{line: n.Line()}
	if !n.IsMapping() { // what it is may be a token, and is not repeated
		return e, yamlfile.Errorf(n.Line(), "%s: want a mapping of principal, profiles and token or sha256", what)
	}
	fields, err := n.Mapping(what)
	if err != nil {
		return e, err
	}
	for _, f := range fields {
		key := f.Key
		f.Key = what + ": " + key
		switch key {
		case "token":
			e.token, err = f.Word()
		case "sha256":
			e.sha256, err = f.Word()
		case "principal":
			e.principal, err = f.Word()
		case "profiles":
			e.profiles, err = profileNames(f)
		default:
			err = yamlfile.Errorf(f.Line, "%s: unknown key %q, allowed: principal, profiles, sha256, token", what, key)
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// profileNames returns the names in a list.
func profileNames(f yamlfile.Field) ([]string, error) {
	items, err := f.Strings()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = item.Text
	}
	return names, nil
}

// check returns the hash of a token that is declared well.
func (e *tokenEntry) check(known *profiles.Set) (hash [sha256.Size]byte, err error) {
	if e.principal == "" || strings.Contains(strings.TrimSuffix(e.principal, "*"), "*") {
		return hash, fmt.Errorf("principal: want an agent id, or the beginning of some and a *")
	}
	if len(e.profiles) == 0 {
		return hash, fmt.Errorf("profiles: want at least one")
	}
	for _, p := range e.profiles {
		if _, err := known.Resolve(p); err != nil {
			return hash, err
		}
	}
	switch {
	case (e.token == "") == (e.sha256 == ""):
		return hash, fmt.Errorf("want either token or sha256")
	case e.sha256 != "":
		raw, err := hex.DecodeString(e.sha256)
		if err != nil || len(raw) != sha256.Size {
			return hash, fmt.Errorf("sha256: want 64 hexadecimal digits")
		}
		return [sha256.Size]byte(raw), nil
	case len(e.token) < minToken:
		return hash, fmt.Errorf("token: want %d characters at least", minToken)
	case strings.TrimSpace(e.token) != e.token:
		return hash, fmt.Errorf("token: has spaces around it, which no header keeps")
	}
	return sha256.Sum256([]byte(e.token)), nil
}

// Credential returns what a token stands for, and false if it is none. It is what mcp.Options.Tokens
// wants.
func (t *Tokens) Credential(token string) (mcp.Credential, bool) {
	c, ok := t.byHash[sha256.Sum256([]byte(token))]
	return c, ok
}
