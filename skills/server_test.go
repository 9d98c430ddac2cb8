package skills_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// server is the whole catalogue on a world, without any wire.
type server struct {
	world    *world.World
	registry *registry.Registry
}

// newServer returns a server of which the profile builder.review is held. Its clock stands still.
func newServer(t testing.TB, maxEntities int) *server {
	t.Helper()
	return newServerWith(t, maxEntities, "")
}

// newServerWith is newServer with a folder for files.
func newServerWith(t testing.TB, maxEntities int, files string) *server {
	t.Helper()
	clock := func() time.Time { return time.Unix(1, 0) }
	w := world.New(world.Config{Seed: 7, MaxEntities: maxEntities, StepFailed: func(name string, err error) { t.Errorf("step %s: %v", name, err) }})
	gate := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	r := registry.New(registry.Options{
		Trace: trace.New(trace.Options{Clock: clock, MaxEvents: 256}), Gate: gate, Tick: w.Tick, Clock: clock, Logger: zerolog.New(complaints{t}),
	})
	key := func() ([]byte, error) { return []byte(strings.Repeat("k", save.KeySize)), nil }
	all := skills.All(skills.Deps{World: w, Agents: agents.New(w), Registry: r, Approval: gate, TraceDir: t.TempDir(), Files: files, Save: save.Options{Key: key}})
	if err := r.Register(all...); err != nil {
		t.Fatal(err)
	}
	return &server{world: w, registry: r}
}

// complaints is a log whose every line fails the test: what a skill does wrong by itself, whatever it is asked, its caller is not told.
type complaints struct{ testing.TB }

func (c complaints) Write(line []byte) (int, error) {
	c.Errorf("%s", line)
	return len(line), nil
}

func (s *server) call(p *profiles.Principal, k registry.Skill, input []byte, dst []byte) registry.Result {
	return s.registry.Invoke(context.Background(), &registry.Request{Skill: k, Input: input, Principal: p}, dst)
}

// god may call everything.
func god(id string) *profiles.Principal {
	var all []profiles.Permission
	set := profiles.Builtin()
	for _, name := range set.Names() {
		grants, _ := set.Resolve(name)
		all = append(all, grants.List()...)
	}
	return &profiles.Principal{Kind: profiles.KindOperator, ID: id, Session: "session of " + id, Profile: "god", Grants: profiles.Grant(all...)}
}

// furnish puts a little of everything into the world.
func furnish(t testing.TB, s *server, p *profiles.Principal) {
	t.Helper()
	for _, call := range [][2]string{
		{"agent.embody", `{}`},
		{"scene.createEntity", `{"dynamic":true}`},
		{"scene.createEntity", `{"material":"wood","position":[3,0,0]}`},
		{"ecs.addComponent", `{"entity":"ent_1","component":"tree"}`},
		{"ui.label", `{"anchor":{"kind":"world","entity":"ent_1"},"text":"a tree"}`},
		{"audio.ambient", `{}`},
		{"navmesh.build", `{"bounds":{"minX":-50,"minZ":-50,"maxX":50,"maxZ":50},"cellSize":2}`},
		{"player.spawn", `{"position":[0,3,0]}`},
		{"trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`},
		{"game.condition", `{"name":"open","expression":"flag('a') or counter('coins') > 2","onTrue":"next"}`},
		{"game.flag", `{"name":"a","value":true}`},
		{"event.listen", `{"eventName":"start","action":{"type":"emit","target":"next"}}`},
		{"animation.authorClip", `{"id":"turn","duration":1,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":1}]}]}`},
		{"animation.authorPath", `{"id":"line","points":[[0,1,0],[9,1,0]]}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":50},{"name":"defense","value":4}]}`},
		{"stats.create", `{"entity":"ent_3","stats":[{"name":"health","value":1000},{"name":"mana","value":30}]}`},
		{"world.generateRegion", `{"seed":1,"lod":4,"bounds":{"minTx":2,"minTz":2,"maxTx":2,"maxTz":2}}`},
	} {
		k, ok := s.registry.Lookup(call[0])
		if !ok {
			t.Fatalf("no skill %s", call[0])
		}
		if res := s.call(p, k, []byte(call[1]), nil); res.Err != nil {
			t.Fatalf("%s: %v", call[0], res.Err)
		}
	}
}

// len is how many entities there are.
func (s *server) len() (n int) {
	s.world.View(func(v *world.View) { n = v.Len() })
	return n
}
