package skills_test

import (
	"strings"
	"testing"
)

// TestCopiesDoNotLive copies a torch whose flame has a behavior, and what has none: who copies is told what copies do not do.
func TestCopiesDoNotLive(t *testing.T) {
	r := newStage(t)
	r.Do("behavior.define", `{"id":"flicker","name":"Flicker","goals":[{"id":"stay","type":"guard"}]}`)
	flame := entityOf(t, r.Do("scene.createEntity", `{"name":"flame"}`))
	torch := entityOf(t, r.Do("scene.createEntity", `{"name":"torch"}`))
	r.Do("scene.group", `{"entities":[%q],"into":%q}`, flame, torch)
	r.Do("behavior.assign", `{"entity":%q,"profileId":"flicker"}`, flame)
	stone := entityOf(t, r.Do("scene.createEntity", `{}`))
	for _, c := range []struct{ name, input, want string }{
		{"scene.clone", `{"entity":"` + torch + `","offset":[2,0,0]}`, `"note":"copies have no behavior, as ` + flame + ` has, which is part of ` + torch},
		{"scene.array", `{"entity":"` + torch + `","pattern":"line","count":3,"step":[2,0,0]}`, `"note":"copies have no behavior, as ` + flame + ` has`},
		{"scene.clone", `{"entity":"` + flame + `"}`, `"note":"copies have no behavior, as ` + flame + ` has: behavior.assign`},
		{"scene.clone", `{"entity":"` + stone + `"}`, ""},
	} {
		if got := r.Do(c.name, "%s", c.input); !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "note") {
			t.Errorf("%s %s: %s, want %s", c.name, c.input, got, c.want)
		}
	}
}

// TestCopiesOfMachines copies a gate with a lever, a zone and a listener: who copies is told that the copy has no part in what the zone and the listener do, and that its
// lever emits the event of the other. Where an entity is named only in the id of another nothing is said.
func TestCopiesOfMachines(t *testing.T) {
	r := moving(t)
	r.Do("world.batch", `{"operations":[
		{"skill":"scene.createEntity","as":"post","input":{"static":true,"position":[0,1,0]}},
		{"skill":"scene.createEntity","as":"flap","input":{"dynamic":true,"position":[1,1,0]}},
		{"skill":"scene.createEntity","as":"lever","input":{"static":true,"position":[-2,1,0]}},
		{"skill":"scene.group","as":"gate","input":{"entities":["$post.entity","$flap.entity","$lever.entity"]}},
		{"skill":"physics.addJoint","input":{"entity":"$flap.entity","to":"$post.entity","kind":"hinge"}},
		{"skill":"interaction.register","input":{"entity":"$lever.entity","prompt":"Pull","type":"toggle","action":"gate"}},
		{"skill":"event.listen","input":{"eventName":"gate.on","action":{"type":"call","target":"physics.setMotor","data":{"entity":"$flap.entity","target":1}}}},
		{"skill":"trigger.create","input":{"entity":"$gate.group","center":[0,0,2],"size":[1,1,1]}},
		{"skill":"event.listen","input":{"eventName":"x","action":{"type":"destroy","target":"ent_0"}}}]}`)
	for _, c := range [][2]string{
		{`{"entity":"ent_3","offset":[0,0,9]}`, `"note":"copies have no part in trg_0, lst_0, lst_1, as ent_3 has: game.rules {\"mentions\":\"ent_3\"} tells what is done there; make it for them anew, or let ` +
			`prefab.instantiate make more with all that the prefab says; the copy of ent_2 emits \"gate\" as that does: who listens to it does the same for both"`},
		{`{"entity":"ent_1","offset":[0,0,9]}`, `"note":"copies have no part in lst_0, as ent_1 has`},
		{`{"entity":"ent_2","offset":[0,0,9]}`, `"note":"the copy of ent_2 emits \"gate\" as that does`},
		{`{"entity":"ent_8"}`, ``}, // a copy of the flap
	} {
		if got := r.Do("scene.clone", "%s", c[0]); !strings.Contains(got, c[1]) || c[1] == "" && strings.Contains(got, "note") {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
