package mcp

import (
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/profiles"
)

// mayBuild is what a session needs to make, change and remove things.
const mayBuild profiles.Permission = "scene.write"

// What several sorts of callers are told.
const (
	aboutWorld = `Limina is one shared 3-D world that many agents build in at once. Metres, radians; y is up, the ground is y = 0, north is -z, east +x; colours are integers (0xFF8800 is 16746496).`
	tellLook   = `Look first: scene_inspect sums the world up; scene_queryEntities finds what is near a point or has a tag.`
	tellMore   = `There are many more skills than the tools listed here, also for games (zones, timers, quests, characters that live): skills_search finds them by words, skills_describe shows one's input schema, skills_call runs one by its name.`
	tellFailed = `A failed call has changed nothing. Its text names each bad field and what is allowed: correct it and call again.`
	tellHeld   = `"pending_approval" means that a person decides: go on with something else, do not repeat the call.`
)

// Watch says where people can see the world in a browser, a URL: standard clients that open a session from now on are told, so that
// a model can tell its user, unless [Options] has instructions of the host's own. It may be called concurrently with everything
// else; "" takes it back.
func (m *Mcp) Watch(url string) { m.watch.Store(&url) }

// Play says where people play in the world in a browser, as Watch does for those who look on.
func (m *Mcp) Play(url string) { m.play.Store(&url) }

// tellWatch is the line about where the world is seen and played in, none if that is nowhere.
func (m *Mcp) tellWatch() []string {
	var lines []string
	if at := m.watch.Load(); at != nil && *at != "" {
		lines = append(lines, `watch the world in a browser, as it is built: `+*at)
	}
	if at := m.play.Load(); at != nil && *at != "" {
		lines = append(lines, `walk about and play in it: `+*at)
	}
	if len(lines) == 0 {
		return nil
	}
	return []string{`People can ` + strings.Join(lines, `; `) + ` (tell your user once).`}
}

// builders is what those are told who may build.
func (m *Mcp) builders(grants *profiles.Grants) string {
	check := `Check before you say that you are done: scene_render shows a picture, scene_validate finds what floats or overlaps and how to repair it`
	if grants == nil || grants.Has("world.undo") {
		check += `; world_undo takes back`
	}
	return numbered(append([]string{
		tellLook,
		`Build: architecture_building raises a house that one can walk into; scene_createEntity adds one box, sphere, cylinder, cone or wedge. A position is a centre, so a box of size 1 stands on the ground at y = 0.5. world_batch does up to 500 such calls at once.`,
		`Keep the entity ids ("ent_7") that calls return; other tools take them to move, paint, tag or remove things.`,
		check + `.`,
		tellMore,
		tellFailed,
		`Dynamic bodies and characters fall through y = 0 where nothing with a static body is: give them a floor with static true, or generated ground.`,
		`Others build here too: look at what is there before you remove what you did not make.`,
		tellHeld,
	}, m.tellWatch()...)...)
}

// numbered is about the world, and then lines with their numbers.
func numbered(lines ...string) string {
	text := append(make([]byte, 0, 2048), aboutWorld...)
	for i, line := range lines {
		text = append(strconv.AppendInt(append(text, '\n'), int64(i+1), 10), ". "...)
		text = append(text, line...)
	}
	return string(text)
}

// instructions are what a standard client may put before its model: what the host has said, or else what suits what the session
// may do.
func (m *Mcp) instructions(s *Session) string {
	grants := s.grants()
	switch {
	case m.opts.Instructions != "":
		return m.opts.Instructions
	case grants == nil || grants.Has(mayBuild):
		return m.builders(grants)
	}
	return m.others(*grants)
}

// others is what those are told who may not build: that they may not, what they may, and how that is done.
func (m *Mcp) others(grants profiles.Grants) string {
	var acts []string
	for _, p := range grants.List() {
		if !strings.HasSuffix(string(p), ".read") {
			acts = append(acts, string(p))
		}
	}
	stand := `You may look at this world and change nothing in it: a call that would is refused as "forbidden". Say so if you are asked to build.`
	if len(acts) > 0 {
		stand = `You may not make, change or remove what is built here: a call that would is refused as "forbidden". Say so if you are asked to. ` +
			`Beyond looking you may do what these permissions allow: ` + strings.Join(acts, ", ") + `.`
	}
	lines := []string{stand}
	for _, l := range []struct {
		line   string
		skills []string // that it names, all of which the session may call
	}{
		{tellLook, []string{"scene.inspect", "scene.queryEntities"}},
		{`See it: scene_render shows a picture of it.`, []string{"scene.render"}},
		{`Check it: scene_validate finds what floats or overlaps.`, []string{"scene.validate"}},
		{
			`Walk: player_spawn makes a character, player_move sends it, physics_settle waits until it stands; it falls through y = 0 where nothing with a static body is.`,
			[]string{"player.spawn", "player.move", "physics.settle"},
		},
		{`Have a body and talk: agent_embody gives you one, social_approach walks to somebody, social_say speaks.`, []string{"agent.embody", "social.approach", "social.say"}},
		{`Decide: approval_list has the calls of others that are held, approval_grant and approval_deny decide on one.`, []string{"approval.list", "approval.grant", "approval.deny"}},
		{`Take back: world_undo undoes your own newest calls that changed something.`, []string{"world.undo"}},
		{`Keep the entity ids ("ent_7") that calls return; other tools take them.`, nil},
		{tellMore, nil},
		{tellFailed, nil},
	} {
		if m.mayAll(grants, l.skills) {
			lines = append(lines, l.line)
		}
	}
	if len(acts) > 0 {
		lines = append(lines, tellHeld)
	}
	return numbered(append(lines, m.tellWatch()...)...)
}

// mayAll reports whether grants allow all of some skills, and they are there.
func (m *Mcp) mayAll(grants profiles.Grants, skills []string) bool {
	for _, name := range skills {
		if k, ok := m.reg.Lookup(name); !ok || !k.Allowed(grants) {
			return false
		}
	}
	return true
}
