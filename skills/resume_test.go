package skills_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// TestResume keeps a world in which all kinds of things run, goes back to it much later, and has the same happen from there on as
// happened the first time, to the step.
func TestResume(t *testing.T) {
	s := newServer(t, 1000)
	ann := god("ann")
	do := func(skill, input string) string {
		t.Helper()
		k, ok := s.registry.Lookup(skill)
		if !ok {
			t.Fatalf("no skill %s", skill)
		}
		res := s.call(ann, k, []byte(input), nil)
		if res.Err != nil {
			t.Fatalf("%s %s: %v", skill, input, res.Err)
		}
		return string(res.Output)
	}
	steps := func(n int) {
		for range n {
			s.world.Step(context.Background())
		}
	}
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,1,0]}`},
		{"scene.createEntity", `{"position":[0,1,0]}`},
		{"animation.authorClip", `{"id":"rise","duration":6,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":6,"value":[0,4,0]}]}]}`},
		{"animation.play", `{"entity":"ent_0","clipId":"rise","loop":false}`},
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
	} {
		do(call[0], call[1])
	}
	lift, err := world.ParseID("ent_0")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	now := 0
	see := func(format string, args ...any) {
		seen = append(seen, fmt.Sprintf("%d ", now)+fmt.Sprintf(format, args...))
	}
	t.Cleanup(s.world.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			see("%s %s", m.Kind, handles.ReplaceAll(m.Payload, nil)) // they are never used twice
		}
	}))
	future := func() []string {
		for seen, now = nil, 1; now <= 400; now++ {
			steps(1)
			s.world.View(func(v *world.View) {
				at, _ := v.Position(lift)
				see("lift %v, hour %v, a panel %t, a fire %t", at, s.world.Environment.Time.Get(v).Hour, rows(s, v, "ui.panels"), rows(s, v, "vfx.emitters"))
			})
			if now%100 == 0 {
				see("a sound %s", do("audio.setVolume", `{"handle":"snd_0","volume":0.5}`))
			}
			for _, ask := range [][2]string{
				{"game.timer", `{"name":"bomb","action":"get"}`},
				{"status.list", `{"targetEntity":"ent_1"}`},
				{"stats.get", `{"entity":"ent_1","statName":"hp"}`},
				{"ability.status", `{"entity":"ent_1","id":"fireball"}`},
				{"director.status", `{}`},
			} {
				see("%s", do(ask[0], ask[1]))
			}
		}
		return seen
	}
	steps(20)
	do("checkpoint.create", `{"name":"here"}`)
	first := future()
	steps(777)
	do("checkpoint.load", `{"name":"here"}`)
	if diff := cmp.Diff(first, future()); diff != "" {
		t.Errorf("from the checkpoint on other things happen (-first +then):\n%s", diff)
	}
	all := strings.Join(first, "\n")
	for _, want := range []string{"event.emit {\"event\":\"boom\"", "event.custom", "cutscene.custom", "trigger.custom", "panel true", "panel false", "fire true", "fire false", "Ouch!", `"ready":true`, `director.phase {"phase":"sustain"`, `"phase":"rest"`} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing in it is %s", want)
		}
	}
}

// handles are those of what is said.
var handles = regexp.MustCompile(`"handle":"say_\d+",`)

// rows reports whether a table has any.
func rows(s *server, v *world.View, table string) bool {
	return len(s.world.AppendShared(nil, v, table)) > len("{}")
}
