package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"sync"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// Tool is a skill as native clients and engine code see it.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"` // JSON Schema draft-07, and says so
	Category    string          `json:"category"`
	Priority    string          `json:"priority"` // "core" or "standard"
}

// ListTools returns the tools that the session may call, in the order of their registration; all
// there are for a nil Session. The schemas are shared and not to be changed.
func (m *Mcp) ListTools(s *Session) []Tool { return slices.Clone(m.lists.tools(s.grants())) }

// draft07 is what the schemas of native tools declare.
const draft07 = `"$schema":"http://json-schema.org/draft-07/schema#"`

func toolOf(k registry.Skill) Tool {
	info := k.Info()
	t := Tool{Name: info.Name, Description: info.Description, Category: info.Category, Priority: "standard"}
	if info.Core {
		t.Priority = "core"
	}
	t.InputSchema = compact(k.InputSchema())
	if member(t.InputSchema, "$schema") == nil {
		declared := append([]byte{'{'}, draft07...)
		if rest := t.InputSchema[1:]; rest[0] != '}' {
			declared = append(declared, ',')
		}
		t.InputSchema = append(declared, t.InputSchema[1:]...)
	}
	return t
}

// compact returns JSON text on one line.
func compact(text json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return json.RawMessage(`{"type":"object"}`)
	}
	return b.Bytes()
}

// toolLists keeps the answers to tools/list as bytes: each is made once for all who may call the
// same, and all are dropped when the registry has changed.
type toolLists struct {
	reg      *registry.Registry
	pageSize int
	tier     Tier

	mu         sync.Mutex // guards what follows
	generation uint64     // of the registry, when what is kept was made
	kept       map[listKey]any
}

// listKey names one kept answer.
type listKey struct {
	form   byte // what kind of thing it is: 't' []Tool, 'n' native text, 's' legacy text, 'm' modern text
	grants profiles.Grants
	all    bool   // nothing is decided by grants
	after  string // the tool before the page
}

// keep returns what build builds, from memory if it can. What is nil is not kept: it answers a cursor
// that the peer made up.
func (l *toolLists) keep(key listKey, grants *profiles.Grants, build func() any) any {
	key.all = grants == nil
	if grants != nil {
		key.grants = *grants
	}
	generation := l.reg.Generation()
	l.mu.Lock()
	if l.generation != generation || l.kept == nil {
		l.generation, l.kept = generation, map[listKey]any{}
	}
	built, ok := l.kept[key]
	l.mu.Unlock()
	if ok {
		return built
	}
	built = build()
	l.mu.Lock()
	defer l.mu.Unlock()
	// The registry may have changed meanwhile; what was built is then right for this answer only.
	if built != nil && l.generation == generation && l.reg.Generation() == generation {
		l.kept[key] = built
	}
	return built
}

func (l *toolLists) tools(grants *profiles.Grants) []Tool {
	return l.keep(listKey{form: 't'}, grants, func() any {
		list := []Tool{}
		for _, k := range l.reg.List(registry.Filter{Grants: grants}) {
			list = append(list, toolOf(k))
		}
		return list
	}).([]Tool)
}

// native returns the result of a native client's tools/list.
func (l *toolLists) native(grants *profiles.Grants) []byte {
	return l.keep(listKey{form: 'n'}, grants, func() any {
		text := []byte(`{"tools":[`)
		for i, t := range l.tools(grants) {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendNativeTool(text, &t)
		}
		return append(text, "]}"...)
	}).([]byte)
}

// page returns one page of a standard client's tools/list, in one form: the one after the tool that
// cursor names, or the first. Its text is made by finish, if there is one, of the legacy result.
func (l *toolLists) page(grants *profiles.Grants, cursor string, form byte, finish func([]byte) []byte) ([]byte, *rpcError) {
	after, ok := decodeCursor(cursor)
	var text []byte
	if ok {
		text, _ = l.keep(listKey{form: form, after: after}, grants, func() any {
			skills := l.reg.List(registry.Filter{Grants: grants, Published: l.tier == Published})
			if after != "" {
				at := slices.IndexFunc(skills, func(k registry.Skill) bool { return k.Name() == after })
				if at < 0 {
					return nil
				}
				skills = skills[at+1:]
			}
			page := l.first(skills)
			if finish != nil {
				page = finish(page)
			}
			return page
		}).([]byte)
	}
	if text == nil {
		return nil, invalidParams("cursor: not one of this list; call tools/list without it to start again")
	}
	return text, nil
}

// first returns the first of skills as a page, with a cursor if there are more.
func (l *toolLists) first(skills []registry.Skill) []byte {
	text := []byte(`{"tools":[`)
	for i, k := range skills[:min(l.pageSize, len(skills))] {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendStandardTool(text, l.reg, k)
	}
	text = append(text, ']')
	if len(skills) > l.pageSize {
		text = appendField(text, "nextCursor", encodeCursor(skills[l.pageSize-1].Name()))
	}
	return append(text, '}')
}

// A cursor is opaque to clients: the name of the last tool of the page before, so that tools that
// come or go in between neither repeat nor hide others.
func encodeCursor(name string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("after:" + name))
}

func decodeCursor(cursor string) (after string, ok bool) {
	if cursor == "" {
		return "", true
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || !bytes.HasPrefix(text, []byte("after:")) || len(text) == len("after:") {
		return "", false
	}
	return string(text[len("after:"):]), true
}
