package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestClipsAndClaims: a clip moves nothing into what somebody else has claimed, however it comes to be played, and a walk of his may pass through.
func TestClipsAndClaims(t *testing.T) {
	r := newStage(t)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,0.5,0]}`},   // ent_0
		{"scene.createEntity", `{"position":[0,0.5,8]}`},   // ent_1
		{"scene.createEntity", `{"position":[0,0.5,4.9]}`}, // ent_2
		{"scene.group", `{"entities":["ent_2"],"into":"ent_1"}`},
		{"scene.createEntity", `{"position":[12,0.5,0]}`}, // ent_3
		{"animation.authorClip", `{"id":"slide","duration":4,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":2,"value":9},{"t":4,"value":0}]}]}`},
		{"animation.authorClip", `{"id":"short","duration":4,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":2,"value":3},{"t":4,"value":0}]}]}`},
		{"animation.authorClip", `{"id":"spin","duration":4,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":6.2832}]}]}`},
	} {
		r.Must(t, bob, call[0], call[1])
	}
	r.Must(t, ann, "world.claim", `{"min":[5,-1,-5],"max":[15,9,5],"seconds":600}`)
	refused := func(what, skill, input string) {
		t.Helper()
		if got, err := r.Call(bob, skill, input); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, "region that ann holds") {
			t.Errorf("%s: %s, %v", what, got, err)
		}
	}
	refused("what slides into it", "animation.play", `{"entity":"ent_0","clipId":"slide"}`)
	refused("what is mixed", "animation.blend", `{"entity":"ent_0","clips":[{"clipId":"short","weight":0.5},{"clipId":"slide","weight":0.5}]}`)
	refused("what does so once", "animation.emote", `{"entity":"ent_0","clipId":"slide"}`)
	refused("a state", "animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"a","states":[{"name":"a","clipId":"short"},{"name":"b","clipId":"slide"}]}`)
	refused("what stands in it", "animation.play", `{"entity":"ent_3","clipId":"short"}`)
	r.Must(t, bob, "animation.play", `{"entity":"ent_0","clipId":"short"}`)
	refused("what plays already, authored anew", "animation.authorClip", `{"id":"short","duration":4,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":2,"value":6}]}]}`)
	r.Must(t, bob, "animation.play", `{"entity":"ent_1","clipId":"spin"}`) // its arm of 3.1 m, at x from -3.1 to 3.1
	r.Must(t, bob, "animation.stop", `{"entity":"ent_1"}`)
	r.Must(t, bob, "three.setTransform", `{"entity":"ent_1","position":[3,0.5,0]}`)
	refused("an arm that turns into it", "animation.play", `{"entity":"ent_1","clipId":"spin"}`)
	r.Must(t, ann, "animation.play", `{"entity":"ent_3","clipId":"slide"}`) // in one's own

	// A rule of his does it no more than he does.
	r.Must(t, bob, "event.listen", `{"eventName":"go","action":{"type":"animation","target":"ent_0","data":{"clipId":"slide"}}}`)
	r.Must(t, bob, "event.emit", `{"eventName":"go"}`)
	r.Steps(150)
	r.World.View(func(v *world.View) {
		if at, _ := v.Position(world.ID(1)); at[0] > 4 {
			t.Errorf("it is at %v", at)
		}
	})
	if got := r.Must(t, bob, "game.rules", `{"mentions":"go"}`); !strings.Contains(got, "region that ann holds") {
		t.Errorf("the rule says %s", got)
	}

	// Who walks may pass through.
	r.Must(t, bob, "scene.createEntity", `{"position":[0,0.5,-3],"static":false}`)
	r.Must(t, bob, "navmesh.build", `{"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20}}`)
	if got := r.Must(t, bob, "navmesh.moveTo", `{"entity":"ent_4","target":[18,0,-3]}`); !strings.Contains(got, `"ok":true`) {
		t.Errorf("a walk through it: %s", got)
	}
}
