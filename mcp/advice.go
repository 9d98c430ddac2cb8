package mcp

import (
	"cmp"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// appendAdvice completes a tool result with the advice.
func (f *failure) appendAdvice(dst []byte) []byte {
	dst = append(dst, `"content":[{"type":"text","text":`...)
	dst = wire.AppendString(dst, f.advice())
	return append(dst, `}],"isError":true}`...)
}

// advice is what a standard client's model is told of a failure: what was wrong, by path, and what
// to do about it.
func (f *failure) advice() string {
	var b strings.Builder
	e := f.result.Err
	if f.skill.Name() == "" && e.Code != registry.CodeNotFound { // it was not even asked for
		return e.Message
	}
	if f.skill.Name() == "" {
		b.WriteString("unknown tool: " + e.Asked + ".")
		if len(e.Near) > 0 {
			b.WriteString(" Nearest: " + strings.ReplaceAll(strings.Join(e.Near, ", "), ".", "_") + ".")
		}
		b.WriteString(f.pointer(" %s finds tools by words.", "skills.search"))
		return b.String()
	}
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Message)
	switch e.Code {
	case registry.CodeInvalidInput:
		whose, of := cmp.Or(e.Skill, f.skill.Name()), ""
		if whose != f.skill.Name() { // skills.call hands on what the inner skill says, of an input inside its own
			of = " of " + whose
		}
		if strings.Contains(e.Message, "is not an entity id") {
			b.WriteString(f.pointer("; %s finds ids by names", "scene.queryEntities"))
		}
		b.WriteString("\nNothing was changed. Correct the input" + of + " and call " + f.skill.WireName() + " again.")
		b.WriteString(f.pointer(" %s {\"name\":\""+whose+"\"} shows the schema of "+whose+".", "skills.describe"))
	case registry.CodeForbidden:
		if e.Missing == "" { // a gate or the skill refuses, and says why: the profile may allow the very same with another input
			b.WriteString(unchanged(e.Message))
			break
		}
		b.WriteString("\nYour profile, " + f.session.principal.Profile + ", does not allow this call; " + f.mcp.whoMay(e.Missing) + ".")
		b.WriteString(f.pointer(" %s finds what yours allows.", "skills.search"))
	case registry.CodeCapacityExceeded:
		b.WriteString("\nNothing was changed. Make room, ask for less, or wait, then call again.")
	case registry.CodePendingApproval:
		b.WriteString("\nA reviewer decides on this call. Do not repeat it; go on with something else.")
		b.WriteString(f.pointer(" %s {\"approvalId\":\""+e.Message+"\"} tells later what came of it.", "approval.mine"))
	case registry.CodeNotFound:
		b.WriteString("\nNothing was changed.")
		if e.Asked == "" || len(e.Near) > 0 { // else the message says so itself
			b.WriteString(f.pointer(" %s finds skills by words.", "skills.search"))
		}
	default:
		b.WriteString(unchanged(e.Message))
	}
	return b.String()
}

// whoMay says which profiles have a permission, so that a person can open another session with one of them.
func (m *Mcp) whoMay(p profiles.Permission) string {
	var names []string
	for _, name := range m.profiles.Names() {
		if grants, err := m.profiles.Resolve(name); err == nil && grants.Has(p) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "no profile has " + string(p) + ": whoever runs this server grants it in a file for --profiles"
	}
	return "profiles that have " + string(p) + ": " + strings.Join(names, ", ") + ", which a session asks for as it begins (--profile, or ?profile= in the address), where the server lets it"
}

// unchanged returns what follows a message: that nothing was changed, if it does not say so itself.
func unchanged(message string) string {
	if strings.Contains(strings.ToLower(message), "nothing was changed") {
		return ""
	}
	return "\nNothing was changed."
}

// pointer returns text with the published name of a skill in it, "" if there is none that the session may call.
func (f *failure) pointer(text, skill string) string {
	k, ok := f.mcp.reg.Lookup(skill)
	if g := f.session.grants(); !ok || g != nil && !k.Allowed(*g) {
		return ""
	}
	return strings.Replace(text, "%s", k.WireName(), 1)
}
