package mcp

import (
	"cmp"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// defaultInstructions are what a standard client may put before its model.
const defaultInstructions = `Limina is one shared 3-D world that many agents build in at once. Metres, radians, y is up, the ground is y = 0; colours are integers (0xFF8800 is 16746496).
1. Look first: scene_inspect sums the world up; scene_queryEntities finds what is near a point or has a tag.
2. Build: architecture_building raises a house that one can walk into; scene_createEntity adds one box or sphere. A position is a centre, so a box of size 1 stands on the ground at y = 0.5. world_batch does up to 500 such calls at once.
3. Keep the entity ids ("ent_7") that calls return; other tools take them to move, paint, tag or remove things.
4. Check before you say that you are done: scene_render shows a picture, scene_validate finds what floats or overlaps and how to repair it; world_undo takes back.
5. There are many more skills than the tools listed here: skills_search finds them by words, skills_describe shows one's input schema, skills_call runs one by its name.
6. A failed call has changed nothing. Its text names each bad field and what is allowed: correct it and call again.
7. Dynamic bodies and characters fall through y = 0 where nothing with a static body is: give them a floor with static true, or generated ground.
8. Others build here too: look at what is there before you remove what you did not make.
9. "pending_approval" means that a person decides: go on with something else, do not repeat the call.`

// advice is what a standard client's model is told of a failure: what was wrong, by path, and what
// to do about it.
func (f *failure) advice() string {
	var b strings.Builder
	e := f.result.Err
	if f.skill.Name() == "" && e.Code != registry.CodeNotFound { // it was not even asked for
		return e.Message
	}
	if f.skill.Name() == "" {
		name, _, _ := strings.Cut(strings.TrimPrefix(e.Message, "unknown skill: "), ". Nearest: ")
		b.WriteString("unknown tool: " + name + ".")
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
		b.WriteString("\nNothing was changed. Correct the input" + of + " and call " + f.skill.WireName() + " again.")
		b.WriteString(f.pointer(" %s {\"name\":\""+whose+"\"} shows the schema of "+whose+".", "skills.describe"))
	case registry.CodeForbidden:
		b.WriteString("\nYour profile, " + f.session.principal.Profile + ", does not allow this call.")
		b.WriteString(f.pointer(" %s finds what it allows.", "skills.search"))
	case registry.CodeCapacityExceeded:
		b.WriteString("\nNothing was changed. Make room, ask for less, or wait, then call again.")
	case registry.CodePendingApproval:
		b.WriteString("\nA reviewer decides on this call. Do not repeat it; go on with something else.")
		b.WriteString(f.pointer(" %s {\"cap\":\""+cmp.Or(e.Skill, f.skill.Name())+"\"} tells later what came of it.", "audit.query"))
	case registry.CodeNotFound:
		b.WriteString("\nNothing was changed.")
		b.WriteString(f.pointer(" %s finds skills by words.", "skills.search"))
	default:
		if !strings.Contains(strings.ToLower(e.Message), "nothing was changed") {
			b.WriteString("\nNothing was changed.")
		}
	}
	return b.String()
}

// pointer returns text with the published name of a skill in it, "" if there is no such skill.
func (f *failure) pointer(text, skill string) string {
	k, ok := f.mcp.reg.Lookup(skill)
	if !ok {
		return ""
	}
	return strings.Replace(text, "%s", k.WireName(), 1)
}
