package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestBoard plays the example of docs/games.md: a piece that was chosen goes to the square that is used next, in turns, and captures.
func TestBoard(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### What was chosen before")
	use := func(things ...string) {
		for _, thing := range things {
			r.Do("interaction.interact", `{"entity":%q}`, thing)
			r.Steps(4)
		}
	}
	is := func(what, entity string, want world.Vec3) {
		t.Helper()
		if at := r.At(t, entity); at.Dist(want) > 1e-3 {
			t.Errorf("%s: %s is at %v, want %v; they are told %q", what, entity, at, want, r.Heard())
		}
	}
	use("ent_1")
	is("nothing is chosen", "ent_3", world.Vec3{0, 0.35, 0})
	use("ent_4", "ent_1")
	is("it is not black's turn", "ent_4", world.Vec3{2, 0.35, 0})
	use("ent_3", "ent_1")
	is("white moves", "ent_3", world.Vec3{1, 0.35, 0})
	use("ent_3", "ent_0")
	is("it is not white's turn", "ent_3", world.Vec3{1, 0.35, 0})
	use("ent_4", "ent_0")
	is("black moves", "ent_4", world.Vec3{0, 0.35, 0})
	use("ent_3", "ent_4")
	is("white captures", "ent_3", world.Vec3{0, 0.35, 0})
	if said := r.Do("scene.queryEntities", `{"name":"black"}`); strings.Contains(said, "ent_4") {
		t.Errorf("what was captured is there: %s", said)
	}
}

// TestRecalled has actions name variables that are no entity, are nothing, and are not theirs to read.
func TestRecalled(t *testing.T) {
	for _, c := range []struct{ set, action, want string }{
		{`"red"`, `{"type":"setState","target":"ent_0","data":{"name":"$variable:x"}}`, "red"},
		{`5`, `{"type":"setState","target":"ent_0","data":{"name":"$variable:x"}}`, "5"},
		{`"ent_0"`, `{"type":"setState","target":"$variable:x","data":{"name":"it"}}`, "it"},
		{`"a \"b\""`, `{"type":"call","target":"scene.setName","data":{"entity":"ent_0","name":"$variable:x"}}`, `a \"b\"`},
	} {
		r := room(t)
		r.Do("scene.createEntity", `{"name":"before"}`)
		r.Do("event.listen", `{"eventName":"go","action":%s}`, c.action)
		r.Do("event.emit", `{"eventName":"go"}`)
		r.Heard()
		r.Steps(2)
		if told := strings.Join(r.Heard(), "\n"); !strings.Contains(told, `the variable "x" of the game, for which "$variable:x" stands, was never set`) {
			t.Errorf("%s: they are told %q", c.action, told)
		}
		r.Do("game.state", `{"action":"set","name":"x","value":%s}`, c.set)
		r.Do("event.emit", `{"eventName":"go"}`)
		r.Steps(2)
		if said := r.Do("scene.queryEntities", `{"ids":["ent_0"]}`); !strings.Contains(said, `"name":"`+c.want+`"`) {
			t.Errorf("%s: with %s it is %s; they are told %q", c.action, c.set, said, r.Heard())
		}
	}
}

// TestWordsInBatch has a batch build what acts on who it is about: the word is for the action, unless an operation is called so.
func TestWordsInBatch(t *testing.T) {
	r := room(t)
	r.Do("world.batch", `{"operations":[
		{"skill":"scene.createEntity","input":{},"as":"box"},
		{"skill":"event.listen","input":{"eventName":"go","action":{"type":"call","target":"scene.setName","data":{"entity":"$entity","name":"went"}}}},
		{"skill":"event.emit","input":{"eventName":"go","entity":"$box.entity"}}]}`)
	r.Steps(2)
	if said := r.Do("scene.queryEntities", `{}`); !strings.Contains(said, `"name":"went"`) {
		t.Errorf("it is %s; they are told %q", said, r.Heard())
	}
	_, err := r.Call(r.Ann, "world.batch", `{"operations":[{"skill":"three.setMaterial","input":{"entity":"$entity","color":255}}]}`)
	if err == nil {
		t.Fatal("a word that stands for nothing is taken for an entity")
	}
	for _, want := range []string{`"$entity" stands for an entity in the data of an action only`, `nothing before it is named "entity"`} {
		if !strings.Contains(err.Message, want) {
			t.Errorf("it is refused with %q, want in it %q", err.Message, want)
		}
	}
	r.Do("world.batch", `{"operations":[{"skill":"scene.createEntity","input":{"name":"own"},"as":"entity"},{"skill":"three.setMaterial","input":{"entity":"$entity.entity","color":255}}]}`)
}
