package skills_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/world"
)

// TestResume keeps a world in which all kinds of things run, goes back to it much later, and has the same happen from there on as
// happened the first time, to the step; and so it does in another server that loads a save of it.
func TestResume(t *testing.T) {
	here := begin(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,1,0]}`},
		{"scene.createEntity", `{"position":[0,1,0]}`},
		{"animation.authorClip", `{"id":"rise","duration":6,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":6,"value":[0,4,0]}]}]}`},
		{"animation.play", `{"entity":"ent_0","clipId":"rise","loop":false}`},
		{"animation.authorPath", `{"id":"line","closed":true,"points":[[30,1,0],[40,1,2],[36,1,12]],"stops":[{"name":"Mill","position":[40,1,2],"seconds":1}]}`},
		{"game.timer", `{"name":"bomb","duration":5,"onComplete":"boom"}`},
		{"cutscene.define", `{"id":"intro","keyframes":[{"atTick":30,"action":{"type":"custom"}},{"atTick":330,"action":{"type":"custom"}}]}`},
		{"cutscene.play", `{"id":"intro"}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":100}]}`},
		{"status.apply", `{"targetEntity":"ent_1","type":"burn","duration":4.5,"onTick":"hot"}`},
		{"event.listen", `{"eventName":"hot","action":{"type":"custom"}}`},
		{"ability.define", `{"id":"fireball","cooldownTicks":300}`},
		{"ability.cast", `{"entity":"ent_1","id":"fireball"}`},
		{"trigger.create", `{"shape":"box","center":[0,1,0],"size":[1,1,1]}`},
		{"trigger.onStay", `{"triggerId":"trg_0","every":0.7,"action":{"type":"custom"}}`},
		{"ui.hudPanel", `{"anchor":{"kind":"screen","corner":"top-left"},"lines":["a"],"lifecycle":{"ttl":200}}`},
		{"audio.play", `{"freq":440,"secs":4}`},
		{"vfx.atPosition", `{"position":[0,9,0],"lifetime":5}`},
		{"camera.setFOV", `{"fov":30,"transitionMs":2000}`},
		{"behavior.onEvent", `{"entity":"ent_1","trigger":"hot","cooldown":2.5,"action":{"type":"say","data":{"text":"Ouch!"}}}`},
		{"world.setTime", `{"time":7,"transitionMs":5000}`},
		{"director.configure", `{"buildRate":0.5,"fadeRate":0.6,"sustainTicks":70,"pressureDamping":0.99}`},
		{"director.start", `{}`},
		{"agent.embody", `{"position":[9,0,0]}`},
		{"stats.create", `{"entity":"ent_2","stats":[{"name":"hp","value":100}]}`},
		{"status.apply", `{"targetEntity":"ent_2","type":"poison","duration":4,"magnitude":1}`},
		{"scene.createEntity", `{"scale":[1,1,3]}`},
		{"scene.createEntity", `{"scale":[1,1,3]}`},
		{"animation.follow", `{"entities":["ent_3","ent_4"],"pathId":"line","speed":9,"acceleration":3}`},
	} {
		here.do(call[0], call[1])
	}
	here.steps(20)
	here.do("checkpoint.create", `{"name":"here"}`)
	here.do("save.export", `{"name":"here"}`)
	first := here.future()
	here.steps(777)
	here.do("checkpoint.load", `{"name":"here"}`)
	if diff := cmp.Diff(first, here.future()); diff != "" {
		t.Errorf("from the checkpoint on other things happen (-first +then):\n%s", diff)
	}
	var saved struct{ Data string }
	if err := json.Unmarshal([]byte(here.do("save.slot", `{"action":"load","name":"here"}`)), &saved); err != nil {
		t.Fatal(err)
	}
	load := fmt.Sprintf(`{"data":%q}`, saved.Data)
	for _, late := range []int{0, 1000} {
		there := begin(t)
		there.steps(late)
		if got, want := there.do("save.import", load), `{"ok":true,"mode":"snapshot","entities":5,"idShift":0}`; got != want {
			t.Errorf("loaded %s, want %s", got, want)
		}
		if diff := cmp.Diff(first, there.future()); diff != "" {
			t.Errorf("in another server that has taken %d steps other things happen (-first +there):\n%s", late, diff)
		}
	}
	here.do("save.import", load)
	if diff := cmp.Diff(first, here.future()); diff != "" {
		t.Errorf("from the save on other things happen (-first +then):\n%s", diff)
	}
	all := strings.Join(first, "\n")
	for _, want := range []string{"event.emit {\"event\":\"boom\"", "event.custom", "cutscene.custom", "trigger.custom", "panel true", "panel false", "fire true", "fire false", "Ouch!", `"ready":true`, `path.arrived {"pathId":"line","stop":"Mill","seconds":1,`, `path.left {"pathId":"line","stop":"Mill"`, `director.phase {"phase":"sustain"`, `"phase":"rest"`} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing in it is %s", want)
		}
	}
}

// living is a server of which is noted what happens.
type living struct {
	*server
	t    *testing.T
	ann  *profiles.Principal
	lift world.ID
	seen []string
	now  int
}

func begin(t *testing.T) *living {
	t.Helper()
	l := &living{server: newServer(t, 1000), t: t, ann: god("ann"), lift: 1}
	t.Cleanup(l.world.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			l.see("%s %s", m.Kind, handles.ReplaceAll(m.Payload, nil)) // they are never used twice
		}
	}))
	return l
}

func (l *living) do(skill, input string) string {
	l.t.Helper()
	k, ok := l.registry.Lookup(skill)
	if !ok {
		l.t.Fatalf("no skill %s", skill)
	}
	res := l.call(l.ann, k, []byte(input), nil)
	if res.Err != nil {
		l.t.Fatalf("%s %s: %v", skill, input, res.Err)
	}
	return string(res.Output)
}

func (l *living) steps(n int) {
	for range n {
		l.world.Step(context.Background())
	}
}

func (l *living) see(format string, args ...any) {
	l.seen = append(l.seen, fmt.Sprintf("%d ", l.now)+fmt.Sprintf(format, args...))
}

// future is what happens in the next steps.
func (l *living) future() []string {
	l.t.Helper()
	for l.seen, l.now = nil, 1; l.now <= 400; l.now++ {
		l.steps(1)
		l.world.View(func(v *world.View) {
			at, _ := v.Position(l.lift)
			for _, car := range []world.ID{4, 5} {
				car, _ := v.WorldTransform(car)
				l.see("car %v", car)
			}
			l.see("lift %v, hour %v, a panel %t, a fire %t", at, l.world.Environment.Time.Get(v).Hour, rows(l.server, v, "ui.panels"), rows(l.server, v, "vfx.emitters"))
		})
		if l.now%100 == 0 {
			l.see("a sound %s", l.do("audio.setVolume", `{"handle":"snd_0","volume":0.5}`))
		}
		for _, ask := range [][2]string{
			{"game.timer", `{"name":"bomb","action":"get"}`},
			{"status.list", `{"targetEntity":"ent_1"}`},
			{"stats.get", `{"entity":"ent_1","statName":"hp"}`},
			{"ability.status", `{"entity":"ent_1","id":"fireball"}`},
			{"director.status", `{}`},
		} {
			l.see("%s", l.do(ask[0], ask[1]))
		}
	}
	return l.seen
}

// handles are those of what is said.
var handles = regexp.MustCompile(`"handle":"say_\d+",`)

// rows reports whether a table has any.
func rows(s *server, v *world.View, table string) bool {
	return len(s.world.AppendShared(nil, v, table)) > len("{}")
}
