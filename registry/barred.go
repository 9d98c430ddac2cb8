package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
)

// barred is an error for somebody with grants: of the skills that it names, as what would help, those that he may not call are told to be none for him, with
// what they need. A refusal for want of a permission says that itself.
func (r *Registry) barred(e *Error, grants profiles.Grants) *Error {
	if e.Code == CodeForbidden || e.Code == CodeNotFound || e.Code == CodePendingApproval || !strings.Contains(e.Message, ".") {
		return e
	}
	set := r.set.Load().byName
	var others []string
	for rest := e.Message; rest != ""; {
		name := word(&rest)
		k := set[name]
		if k == nil || !strings.Contains(name, ".") || k.info.Name == e.Skill {
			continue
		}
		if p, missing := grants.Missing(k.need); missing {
			said := fmt.Sprintf("%s, which needs %s", name, p)
			if p != "" && !slices.Contains(others, said) {
				others = append(others, said)
			}
		}
	}
	if len(others) == 0 {
		return e
	}
	said := *e
	said.Message += "; your profile may not call " + strings.Join(others, ", nor ") + ": somebody else has to"
	return &said
}

// word takes the next run of letters, digits and dots from a text, without dots at its ends.
func word(text *string) string {
	inside := func(c byte) bool {
		return c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	s := *text
	begin := 0
	for begin < len(s) && !inside(s[begin]) {
		begin++
	}
	end := begin
	for end < len(s) && inside(s[end]) {
		end++
	}
	*text = s[end:]
	return strings.Trim(s[begin:end], ".")
}
