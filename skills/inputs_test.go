package skills_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

const (
	inputsOfEach   = 1000 // how many inputs every skill gets
	inputsPerWorld = 100  // how many of them in one world: the world's hash costs what is in it
)

// TestEverySkillOnGeneratedInputs gives every skill a thousand inputs that are made from its schema,
// good ones and bad ones; one that is slow, a hundred; and a tenth of that under the race detector, which
// finds nothing more in the rest; and up to four times as many until one was carried out. Schema and decoder agree on each. A bad one gets an error that names the
// path and leaves the world as it was; so does a good one that fails for another reason. What a
// skill claims of its effect is true of every call.
func TestEverySkillOnGeneratedInputs(t *testing.T) {
	for _, k := range newServer(t, 10).registry.List(registry.Filter{}) {
		t.Run(k.Name(), func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, k)
			good, n, want := 0, 0, inputsOfEach
			if k.Slow() {
				want /= 10
			}
			if race.Enabled {
				want /= 10
			}
			for in := range tr.inputs.Inputs(1, 4*want) {
				if n >= want && (good > 0 || race.Enabled || needsToKnow[k.Name()]) {
					break
				}
				if n%inputsPerWorld == 0 {
					tr.begin(t, k.Name())
				}
				n++
				if tr.call(t, in) {
					good++
				}
				if t.Failed() {
					return
				}
			}
			if good == 0 && !race.Enabled && !needsToKnow[k.Name()] {
				t.Errorf("of %d inputs none was carried out", n)
			}
		})
	}
}

// needsToKnow are the skills that only succeed if they are told a name or a handle that is there,
// which nobody generates.
var needsToKnow = map[string]bool{
	"skills.call": true, "skills.describe": true, "skills.browse": true,
	"ui.update": true, "audio.stop": true, "audio.setVolume": true,
	"scene.import": true, "scene.geometry": true, "scene.image": true, "approval.grant": true, "approval.deny": true, "approval.withdraw": true, "dev.reload": true,
	"trigger.remove": true, "trigger.onEnter": true, "trigger.onExit": true, "trigger.onStay": true, "event.remove": true, "game.condition": true, "cutscene.play": true, "cutscene.remove": true,
	"world.batch": true, "world.redo": true, "world.release": true, "checkpoint.load": true, "checkpoint.delete": true, "save.import": true,
	"animation.play": true, "animation.follow": true, "animation.blend": true, "animation.emote": true, "animation.createStateMachine": true, "animation.setParam": true, "animation.transition": true,
	"interaction.unregister": true, "interaction.pickup": true, "interaction.drop": true, "interaction.use": true, "interaction.interact": true, "interaction.open": true, "interaction.close": true, "interaction.toggle": true,
	"inventory.add": true, "inventory.remove": true, "inventory.transfer": true, "inventory.list": true, "inventory.count": true, "inventory.has": true,
	"item.equip": true, "item.unequip": true,
	"dialogue.define": true, "dialogue.start": true, "dialogue.choose": true, "dialogue.end": true, "dialogue.get": true, "dialogue.npcSay": true, "dialogue.setMood": true, "npc.setRoutine": true,
	"stats.get": true, "stats.modify": true, "stats.onZero": true, "status.remove": true, "ability.cast": true,
	"quest.offer": true, "quest.accept": true, "quest.decline": true, "quest.update": true, "quest.complete": true, "quest.fail": true, "quest.track": true,
	"progression.allocate": true,
	"vfx.play":             true, "vfx.stop": true, "vfx.attach": true, "vfx.destroy": true, "input.unbind": true, "input.set": true,
	"ability.remove": true, "animation.remove": true, "behavior.remove": true, "dialogue.remove": true, "item.remove": true, "progression.remove": true, "quest.remove": true,
	"input.action": true, "input.axis": true,
	"scene.tube": true, "scene.hull": true, "physics.addJoint": true, "physics.setMotor": true, "asset.scatter": true, "asset.place": true, "three.loadGLTF": true, "material.import": true, "prefab.define": true, "prefab.instantiate": true, "prefab.remove": true, "architecture.rebuild": true,
}

// trial is one skill under test on one world after the other.
type trial struct {
	inputs, outputs *schemagen.Generator
	free            freeForm

	s    *server
	p    *profiles.Principal
	k    registry.Skill
	hash [32]byte // of the world, before the next call
}

func newTrial(t *testing.T, k registry.Skill) *trial {
	t.Helper()
	inputs, err := schemagen.New(k.InputSchema())
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := schemagen.New(k.OutputSchema())
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{inputs: inputs, outputs: outputs, p: god("ann")}
	var root struct {
		Properties map[string]map[string]any
	}
	if err := json.Unmarshal(k.InputSchema(), &root); err != nil {
		t.Fatal(err)
	}
	for name, p := range root.Properties {
		if p["type"] == "object" && p["properties"] == nil {
			tr.free = append(tr.free, name)
		}
	}
	if k.Name() == "world.batch" || k.Name() == "prefab.define" {
		tr.free = append(tr.free, "operations") // there are some in it
	}
	return tr
}

// begin goes on in a new world.
func (tr *trial) begin(t *testing.T, name string) {
	t.Helper()
	tr.s = newServer(t, 1000)
	furnish(t, tr.s, tr.p)
	tr.k, _ = tr.s.registry.Lookup(name)
	tr.hash = tr.s.world.Hash()
}

// call makes one call and reports whether it was carried out.
func (tr *trial) call(t *testing.T, in schemagen.Input) bool {
	t.Helper()
	events := tr.s.events()
	res := tr.s.call(tr.p, tr.k, in.JSON, nil)
	if len(in.JSON) == 0 { // the registry's spelling of {}
		in.Valid = tr.inputs.Valid([]byte("{}"))
	}
	before := tr.hash
	tr.hash = tr.s.world.Hash()
	if tr.s.events() == events {
		t.Errorf("%s: %s\nleft no event", in.What, in.JSON)
	}
	if res.Err == nil {
		tr.keepsItsWord(t, in, res.Output, before)
		return true
	}
	if tr.hash != before {
		t.Errorf("%s: %s\nfailed and changed the world: %v", in.What, in.JSON, res.Err)
	}
	tr.explains(t, in, res.Err)
	return false
}

// events is how many events there ever were.
func (s *server) events() uint64 {
	next, _ := s.registry.Trace().Head()
	return uint64(next)
}

// explains checks the error of a call: who refused it, and whether that helps.
func (tr *trial) explains(t *testing.T, in schemagen.Input, err *registry.Error) {
	t.Helper()
	refused := len(err.Problems) > 0 // by the decoder
	if refused == in.Valid && !tr.free.repeat(in) {
		t.Errorf("%s: %s\nthe schema says valid=%v, the decoder %v", in.What, in.JSON, in.Valid, err)
	}
	if err.Message == "" || strings.Contains(err.Message, "internal error") {
		t.Errorf("%s: %s\nthe error helps nobody: %v", in.What, in.JSON, err)
	}
	if refused && err.Code != registry.CodeInvalidInput {
		t.Errorf("%s: %s\ngot the code %s", in.What, in.JSON, err.Code)
	}
	for _, p := range err.Problems {
		whole := p.Path == "" && (strings.HasPrefix(p.Message, "not valid JSON") || strings.HasPrefix(p.Message, "must be an object"))
		if !whole && (p.Path == "" || !strings.Contains(err.Message, p.Path)) || p.Message == "" {
			t.Errorf("%s: %s\nthe path %q is not in %q", in.What, in.JSON, p.Path, err.Message)
		}
	}
}

// keepsItsWord checks a call that was carried out.
func (tr *trial) keepsItsWord(t *testing.T, in schemagen.Input, output []byte, before [32]byte) {
	t.Helper()
	info := tr.k.Info()
	if !in.Valid && !tr.free.repeat(in) {
		t.Errorf("%s: %s\nis bad and was carried out: %s", in.What, in.JSON, output)
	}
	if !tr.outputs.Valid(output) {
		t.Errorf("%s: %s\nthe output breaks its schema: %s", in.What, in.JSON, output)
	}
	if info.Effect == registry.Reads && tr.hash != before {
		t.Errorf("%s: %s\nclaims to read and changed the world", in.What, in.JSON)
	}
	if !info.Idempotent {
		return
	}
	if again := tr.s.call(tr.p, tr.k, in.JSON, nil); again.Err != nil || tr.s.world.Hash() != tr.hash {
		t.Errorf("%s: %s\nclaims to be idempotent; again it changed more, or failed: %v", in.What, in.JSON, again.Err)
	}
}

// freeForm are the properties that take any object. What is inside is handed on as it is, so there,
// and only there, a key may be given twice.
type freeForm []string

// repeat reports whether what is wrong with an input is a key given twice that is not the input's
// own, of a skill that takes objects in free form.
func (f freeForm) repeat(in schemagen.Input) bool {
	if len(f) == 0 || !strings.Contains(in.What, "twice") {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(in.JSON))
	_, _ = d.Token()
	seen := map[json.Token]bool{}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil || seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}
