package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestPrefabsOfOthers: who makes an instance of what somebody else has defined does nothing that that one may not do: neither the calls in it nor the rules that they attach.
func TestPrefabsOfOthers(t *testing.T) {
	r := newStage(t)
	r.Do("scene.createEntity", `{"name":"castle"}`)
	refused := func(who *profiles.Principal, skill, input, want string) {
		t.Helper()
		if out, err := r.Call(who, skill, input); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %s, %v; want forbidden: %s", input, out, err, want)
		}
	}
	refused(skilltest.Caller(t, "ter", "terrain.author"), "prefab.define", `{"name":"tree","operations":[{"skill":"scene.createEntity","input":{}},{"skill":"game.win","input":{}}]}`,
		"operations[1].skill: game.win needs the permission game.write, which you do not have")

	// A rule needs what it does later, which is not looked at before there is an instance.
	eve := &profiles.Principal{Kind: profiles.KindAgent, ID: "eve", Session: "e", Profile: "eve", Grants: profiles.Grant("scene.write", "scene.read", "event.read", "event.write", "trigger.configure")}
	const ops = `[{"skill":"scene.createEntity","input":{}},{"skill":"event.listen","input":{"eventName":"boom","action":{"type":"call","target":"game.win","data":{}}}}]`
	r.Must(t, eve, "prefab.define", `{"name":"tree","operations":`+ops+`}`)
	r.Must(t, eve, "prefab.define", `{"name":"wood","operations":[{"skill":"prefab.instantiate","input":{"name":"tree"}}]}`)
	for _, name := range []string{"tree", "wood"} {
		refused(r.Ann, "prefab.instantiate", `{"name":"`+name+`"}`, "missing permission: game.write")
	}
	r.Do("prefab.define", `{"name":"grove","operations":[{"skill":"prefab.instantiate","input":{"name":"tree"}}]}`)
	refused(r.Ann, "prefab.instantiate", `{"name":"grove"}`, "missing permission: game.write")
	if got := r.Do("prefab.list", `{"name":"tree"}`); strings.Contains(got, "grants") {
		t.Errorf("it is listed as %s", got)
	}

	// Defined by her who may, it is done; by who may less, it is done with less.
	r.Do("prefab.define", `{"name":"tree","replace":true,"operations":%s}`, ops)
	r.Do("prefab.instantiate", `{"name":"grove"}`)
	refused(eve, "prefab.instantiate", `{"name":"tree"}`, "missing permission: game.write")
	r.Do("event.emit", `{"eventName":"boom"}`)
	r.Steps(3)
	if got := r.Do("game.win", `{}`); !strings.Contains(got, `"won"`) {
		t.Errorf("the game is %s", got)
	}
}

// TestFromAfar: who plays disarms nobody and pushes nothing that is out of his reach, and pushes no harder than somebody can.
func TestFromAfar(t *testing.T) {
	r := newStage(t)
	r.Do("item.define", `{"id":"sword","name":"Sword"}`)
	guard := entityOf(t, r.Do("scene.createEntity", `{"position":[100,1,0]}`))
	r.Do("inventory.create", `{"entity":%q}`, guard)
	r.Do("inventory.add", `{"entity":%q,"itemId":"sword"}`, guard)
	r.Do("item.equip", `{"entity":%q,"itemId":"sword","equipmentSlot":"hand"}`, guard)
	ball := entityOf(t, r.Do("scene.createEntity", `{"position":[102,1,0],"dynamic":true}`))

	pia := skilltest.Caller(t, "pia", "player.limited")
	unequip, push := `{"entity":"`+guard+`","equipmentSlot":"hand"}`, func(x string) string { return `{"entity":"` + ball + `","impulse":[` + x + `,0,0]}` }
	for skill, input := range map[string]string{"item.unequip": unequip, "item.equip": `{"entity":"` + guard + `","itemId":"sword","equipmentSlot":"foot"}`, "physics.applyImpulse": push("1")} {
		if out, err := r.Call(pia, skill, input); err == nil || !strings.Contains(err.Message, "you have nothing to act with") {
			t.Errorf("%s by nobody: %s, %v", skill, out, err)
		}
	}
	me := entityOf(t, r.Must(t, pia, "player.spawn", `{"position":[0,1,0]}`))
	for skill, input := range map[string]string{"item.unequip": unequip, "item.equip": `{"entity":"` + guard + `","itemId":"sword","equipmentSlot":"foot"}`, "physics.applyImpulse": push("1")} {
		if out := r.Must(t, pia, skill, input); !strings.Contains(out, `"ok":false`) || !strings.Contains(out, "m is the most") {
			t.Errorf("%s from afar: %s", skill, out)
		}
	}
	r.Do("three.setTransform", `{"entity":%q,"position":[101,1,1]}`, me)
	wall := entityOf(t, r.Do("scene.createEntity", `{"position":[101.4,1.5,0],"static":true}`))
	r.Do("three.setTransform", `{"entity":%q,"position":[101.4,1.5,0],"scale":[0.1,3,6]}`, wall)
	if out := r.Must(t, pia, "physics.applyImpulse", push("1")); !strings.Contains(out, wall+" is between") {
		t.Errorf("through a wall: %s", out)
	}
	r.Do("scene.destroyEntity", `{"entity":%q}`, wall)
	for _, x := range []string{"31", "1e30"} {
		if out, err := r.Call(pia, "physics.applyImpulse", push(x)); err == nil || err.Code != registry.CodeInvalidInput || !strings.Contains(err.Message, "at most 30 m/s") {
			t.Errorf("%s: %s, %v", x, out, err)
		}
	}
	if out := r.Must(t, pia, "physics.applyImpulse", push("20")); out != `{"ok":true,"speed":20}` {
		t.Errorf("near: %s", out)
	}
	if out, err := r.Call(pia, "physics.applyImpulse", push("20")); err == nil {
		t.Errorf("and again in one step: %s", out)
	}
	if out := r.Must(t, pia, "item.unequip", unequip); out != `{"ok":true}` {
		t.Errorf("near: %s", out)
	}
	r.Do("physics.applyImpulse", `{"entity":%q,"impulse":[1000,0,0]}`, ball) // who builds
}

// TestPathsIntoClaims: nobody has things brought into what somebody else has claimed by a path that leads there, whether he sends them off or lays the path anew. Whose claim it is does.
func TestPathsIntoClaims(t *testing.T) {
	r := newStage(t)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, ann, "world.claim", `{"min":[300,0,0],"max":[320,20,20]}`)
	refused := func(skill, input string) {
		t.Helper()
		if out, err := r.Call(bob, skill, input); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, "into a region that ann holds, from [300 0 0] to [320 20 20]") {
			t.Errorf("%s %s: %s, %v", skill, input, out, err)
		}
	}
	for _, path := range []string{`{"id":"in","points":[[290,1,5],[315,1,5]]}`, `{"id":"by","points":[[290,1,-2],[330,1,-2]]}`, `{"id":"loop","points":[[280,1,5],[290,1,5],[290,1,15]],"closed":true}`} {
		r.Must(t, bob, "animation.authorPath", path)
	}
	tram := entityOf(t, r.Must(t, bob, "scene.createEntity", `{"position":[270,1,5],"scale":[2,2,2]}`))
	follow := func(more string) string { return `{"entity":"` + tram + `",` + more + `}` }
	refused("animation.follow", follow(`"pathId":"in","from":0`))
	refused("animation.follow", follow(`"pathId":"in","from":0,"reverse":true,"side":14`)) // with a part of it
	refused("animation.follow", follow(`"pathId":"by","side":4`))
	r.Must(t, bob, "animation.follow", follow(`"pathId":"by"`)) // beside it
	r.Must(t, bob, "animation.follow", follow(`"pathId":"in","from":0,"side":17`))
	r.Must(t, bob, "animation.follow", follow(`"pathId":"loop"`))
	refused("animation.authorPath", `{"id":"loop","points":[[280,1,5],[310,1,5],[290,1,15]],"closed":true}`)
	r.Must(t, bob, "animation.authorPath", `{"id":"loop","points":[[280,1,5],[285,1,5],[285,1,15]],"closed":true}`)

	cart := entityOf(t, r.Must(t, bob, "scene.createEntity", `{"position":[0,1,0]}`))
	r.Must(t, bob, "scene.group", `{"entities":["`+cart+`"],"name":"yard"}`)
	refused("animation.follow", `{"entity":"`+cart+`","pathId":"in","from":0}`)
	r.Must(t, ann, "animation.follow", `{"entity":"`+cart+`","pathId":"in","from":0}`)
}
