package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// onlooker is a client that keeps all that it is told.
type onlooker struct {
	t    *testing.T
	in   *io.PipeWriter
	last int

	mu   sync.Mutex // guards what follows
	text strings.Builder
}

func (o *onlooker) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// told returns what it was told since it was last asked.
func (o *onlooker) told() string {
	synctest.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.text.Reset()
	return o.text.String()
}

// send sends a request, a modern one with a claim.
func (o *onlooker) send(method, params string, modern bool) {
	o.t.Helper()
	if modern {
		params = strings.TrimSuffix(params, "}")
		if params != "{" {
			params += ","
		}
		params += `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	}
	o.last++
	if _, err := fmt.Fprintf(o.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", o.last, method, params); err != nil {
		o.t.Errorf("%s: %v", method, err)
	}
}

func (o *onlooker) ask(method, params string) string {
	o.t.Helper()
	o.send(method, params, false)
	return o.told()
}

// onlook connects somebody by a profile.
func onlook(t *testing.T, e *engine.Engine, name string, profile ...string) *onlooker {
	t.Helper()
	r, w := io.Pipe()
	o := &onlooker{t: t, in: w}
	served := make(chan error, 1)
	peer := mcp.Peer{Standard: true, Credential: &mcp.Credential{Principal: name, Profiles: profile}}
	go func() {
		served <- e.Mcp.ServePeer(context.WithoutCancel(t.Context()), stdio.New(r, o, stdio.Options{}), peer)
	}()
	t.Cleanup(func() {
		_ = w.Close()
		<-served
	})
	if got := o.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`); !strings.Contains(got, `"result"`) {
		t.Fatalf("%s: %s", name, got)
	}
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return o
}

// tool calls a skill and returns all that it says.
func (o *onlooker) tool(skill, input string) string {
	o.t.Helper()
	return o.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, skill, input))
}

func (o *onlooker) must(skill, input string) string {
	o.t.Helper()
	got := o.tool(skill, input)
	if strings.Contains(got, `"isError":true`) || strings.Contains(got, `"error":{`) {
		o.t.Errorf("%s %s: %s", skill, input, got)
	}
	return got
}

// secret is something that not everybody is shown: calls that make it, with its name in what nobody has to know, and the skills of which one shows it. Who may call
// none of those learns its name from nothing else, unless he may read the trace, where all calls are.
type secret struct {
	name  string
	by    []string
	calls [][2]string
}

// viewers is what shows what viewers are told of: anybody who may look at the world is one of them.
const viewers = "scene.inspect"

// The names are in the calls as "$".
var secrets = []secret{
	{"secret-kind", []string{"inventory.list", "interaction.use"}, [][2]string{
		{"item.define", `{"id":"$","name":"$"}`}, {"inventory.create", `{"entity":"ent_1"}`}, {"inventory.add", `{"entity":"ent_1","itemId":"$","quantity":2}`},
	}},
	{"secret-worn", []string{viewers}, [][2]string{
		{"item.define", `{"id":"$","name":"$"}`}, {"inventory.add", `{"entity":"ent_1","itemId":"$"}`}, {"item.equip", `{"entity":"ent_1","itemId":"$","equipmentSlot":"hand"}`},
	}},
	{"secret-variable", []string{"game.rules"}, [][2]string{{"game.state", `{"action":"set","name":"$","value":"$"}`}}},
	{"secret-flag", []string{viewers}, [][2]string{{"game.flag", `{"name":"$","value":true}`}}},
	{"secret-dialogue", []string{"dialogue.define", "game.rules"}, [][2]string{{"dialogue.define", `{"id":"$","name":"$","startNode":"a","nodes":[{"id":"a","text":"$","speaker":"$","choices":[{"text":"$","nextNodeId":""}]}]}`}}},
	{"secret-talk", []string{viewers}, [][2]string{
		{"dialogue.define", `{"id":"talk","name":"x","startNode":"a","nodes":[{"id":"a","text":"$","speaker":"x","choices":[{"text":"x","nextNodeId":""}]}]}`},
		{"dialogue.start", `{"treeId":"talk","speaker":"ent_2","listener":"ent_3"}`},
	}},
	{"secret-answer", []string{"dialogue.define", "game.rules"}, [][2]string{{"dialogue.define", `{"id":"talk2","name":"x","startNode":"a","nodes":[{"id":"a","text":"x","speaker":"x","choices":[{"text":"x","nextNodeId":"b"}]},{"id":"b","text":"$","speaker":"x"}]}`}}},
	{"secret-quest", []string{"quest.offer", "game.rules"}, [][2]string{{"quest.define", `{"id":"$","name":"$","objectives":[{"id":"a","type":"custom","description":"$","target":"$"}]}`}}},
	{"secret-offer", []string{viewers}, [][2]string{
		{"quest.define", `{"id":"$","name":"$","objectives":[{"id":"a","type":"custom","description":"x","target":"x"}]}`}, {"quest.offer", `{"entity":"ent_2","questId":"$"}`},
	}},
	{"secret-listener", []string{"game.rules"}, [][2]string{{"event.listen", `{"eventName":"$","action":{"type":"emit","target":"$","data":{"x":"$"}}}`}}},
	{"secret-condition", []string{"game.rules"}, [][2]string{{"game.condition", `{"name":"$","expression":"flag(\"$\")","onTrue":"$"}`}}},
	{"secret-zone", []string{"game.rules"}, [][2]string{
		{"trigger.create", `{"entity":"ent_1","center":[0,0,2],"size":[1,1,1]}`}, {"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"$","data":{"x":"$"}}}`},
	}},
	{"secret-end", []string{"game.rules"}, [][2]string{
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":9}]}`}, {"stats.onZero", `{"entity":"ent_1","statName":"hp","action":{"type":"emit","target":"$","data":{"x":"$"}}}`},
	}},
	{"secret-stat", []string{viewers}, [][2]string{{"stats.create", `{"entity":"ent_2","stats":[{"name":"$","value":9}]}`}}},
	{"secret-setup", []string{"game.rules"}, [][2]string{{"interaction.register", `{"entity":"ent_2","prompt":"x","type":"custom","config":{"x":"$"}}`}}},
	{"secret-profile", []string{"behavior.define", "behavior.assign", "game.rules"}, [][2]string{{"behavior.define", `{"id":"$","name":"$","reactions":[{"trigger":"$","action":{"type":"say","data":{"text":"$"}}}]}`}}},
	{"secret-memory", []string{"npc.recall"}, [][2]string{{"npc.memorize", `{"entity":"ent_2","key":"$","value":"$"}`}}},
	{"secret-ability", []string{"ability.status", "ability.cast", "ability.define"}, [][2]string{{"ability.define", `{"id":"$","cooldownTicks":60}`}}},
	{"secret-cutscene", []string{"cutscene.play", "game.rules"}, [][2]string{{"cutscene.define", `{"id":"$","keyframes":[{"atTick":3,"action":{"type":"camera","data":{"a":"$"}}}]}`}}},
	{"secret-prefab", []string{"prefab.list"}, [][2]string{{"prefab.define", `{"name":"post","description":"$","operations":[{"skill":"scene.createEntity","input":{"name":"$"}}]}`}}},
	{"secret-tree", []string{"progression.allocate", "progression.skillTree"}, [][2]string{{"progression.skillTree", `{"id":"$","name":"$","nodes":[{"id":"$","name":"$","effects":{"mana":1}}]}`}}},
	{"secret-path", []string{"animation.remove", "animation.follow"}, [][2]string{{"animation.authorPath", `{"id":"$","points":[[0,0,0],[5,0,0]]}`}}},
	{"secret-button", nil, [][2]string{{"input.bind", `{"name":"$","sources":["KeyJ"]}`}, {"input.set", `{"name":"$","value":true}`}}},
	{"secret-event", nil, [][2]string{{"agent.emitEvent", `{"type":"$","payload":{"x":"$"}}`}}},
	{"secret-checkpoint", []string{"checkpoint.list"}, [][2]string{{"checkpoint.create", `{"name":"$"}`}}},
	{"secret-save", []string{"save.slot"}, [][2]string{{"save.export", `{"name":"$"}`}}},
	{"secret-file", nil, [][2]string{{"scene.export", `{"form":"log","file":"$"}`}}},
	{"secret-speech", []string{viewers}, [][2]string{{"social.say", `{"text":"$"}`}}},
	{"secret-news", []string{viewers}, [][2]string{{"event.emit", `{"eventName":"$","payload":{"x":"$"}}`}}},
	{"secret-claim", []string{"world.claims"}, [][2]string{{"world.claim", `{"min":[90,0,90],"max":[99,9,99],"reason":"$"}`}}},
	{"secret-panel", []string{viewers}, [][2]string{{"ui.hudPanel", `{"anchor":{"kind":"screen","corner":"top-left"},"lines":["$"]}`}}},
	{"secret-camera", []string{viewers}, [][2]string{{"camera.thirdPerson", `{"target":"ent_1","config":{"a":"$"}}`}}},
	{"secret-held", []string{"approval.list"}, nil}, // made by somebody whose calls are held
}

// Nobody learns by a resource, a completion, a prompt, a subscription of either kind, what is told of the state, a skill that only reads, or the text of an error what
// all skills that are there for it deny him. Each built-in profile tries, and one that may not even look.
func TestNobodyIsShownWhatSkillsDeny(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		builtin := profiles.Builtin()
		set, err := builtin.With([]byte(`profiles: {god: {extends: [builder.readWrite, npc.agent, player.full, social.actor]}, blind: {grants: [agent.write, game.write]}}`), "test")
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(engine.Config{Profiles: set, Review: []string{"builder.review"}, Rigid: true, Files: t.TempDir(), Leave: -1})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- e.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil }) }()
		defer func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}()
		god, hal := onlook(t, e, "god", "god"), onlook(t, e, "hal", "builder.review")
		for _, x := range []string{"0", "2", "4"} {
			god.must("scene.createEntity", `{"position":[`+x+`,0.5,0]}`)
		}
		god.must("player.spawn", `{"position":[500,0,500]}`)

		names := append(builtin.Names(), "blind")
		reads := func(name string) int { // those who read the trace first: the newest events are kept
			if grants, err := set.Resolve(name); err == nil && grants.Has("trace.read") {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(names, func(a, b string) int { return reads(a) - reads(b) })
		all := map[string]*onlooker{}
		for _, name := range names {
			o := onlook(t, e, "pat-"+name, name)
			all[name] = o
			o.send("subscriptions/listen", `{"notifications":{"resourceSubscriptions":["limina://entity/ent_1","limina://world/summary"],"dev.limina/state-sync":{}}}`, true)
			o.send("resources/subscribe", `{"uri":"limina://entity/ent_1"}`, false)
			o.told()
		}
		for _, s := range secrets {
			for _, c := range s.calls {
				god.must(c[0], strings.ReplaceAll(c[1], "$", s.name))
			}
		}
		if got := hal.tool("scene.createEntity", `{"name":"secret-held"}`); !strings.Contains(got, "apr_1") {
			t.Errorf("a call that is to be held: %s", got)
		}
		time.Sleep(3 * time.Second)

		seen := map[string]map[string][]string{} // by name and profile: where
		marker := regexp.MustCompile(`secret-[a-z]+`)
		for _, name := range names {
			grants, err := set.Resolve(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name].look(e, grants, func(where, text string) {
				for _, m := range marker.FindAllString(text, -1) {
					if seen[m] == nil {
						seen[m] = map[string][]string{}
					}
					if !slices.Contains(seen[m][name], where) {
						seen[m][name] = append(seen[m][name], where)
					}
				}
			})
		}
		for _, s := range secrets {
			shown := 0
			for _, name := range names {
				grants, err := set.Resolve(name)
				if err != nil {
					t.Fatal(err)
				}
				may := slices.ContainsFunc(append(s.by, "trace.tail"), func(skill string) bool {
					k, ok := e.Registry.Lookup(skill)
					if !ok {
						t.Fatalf("there is no %s", skill)
					}
					return k.Allowed(grants)
				})
				where := seen[s.name][name]
				if len(where) > 0 {
					shown++
				}
				if !may && len(where) > 0 {
					t.Errorf("%s is shown %s by %v, which none of %v does", name, s.name, where, s.by)
				}
				if may && len(where) == 0 && slices.Contains(s.by, viewers) {
					t.Errorf("%s may look, and is shown %s by nothing", name, s.name)
				}
				t.Logf("%-20s %-18s may: %-5v by %v", name, s.name, may, where)
			}
			if shown == 0 {
				t.Errorf("nobody is shown %s: what is tried here finds nothing", s.name)
			}
		}
	})
}

// look has somebody look at all there is, and told be told what he was told by what.
func (o *onlooker) look(e *engine.Engine, grants profiles.Grants, told func(where, text string)) {
	o.t.Helper()
	ask := func(where, method, params string) { told(where, o.ask(method, params)) }
	told("deltas", o.told())
	for _, list := range []string{"resources/list", "resources/templates/list", "prompts/list", "tools/list"} {
		ask(list, list, `{}`)
	}
	ask("summary", "resources/read", `{"uri":"limina://world/summary"}`)
	for id := range 8 {
		ask("entity", "resources/read", fmt.Sprintf(`{"uri":"limina://entity/ent_%d"}`, id))
	}
	for id := range 90 {
		ask("event", "resources/read", fmt.Sprintf(`{"uri":"limina://trace/evt_%d"}`, id))
	}
	for _, written := range []string{"", "s", "secret", "1"} {
		for _, template := range [][2]string{{"limina://entity/{id}", "id"}, {"limina://trace/{event}", "event"}} {
			ask("completion of a template", "completion/complete", fmt.Sprintf(`{"ref":{"type":"ref/resource","uri":%q},"argument":{"name":%q,"value":%q}}`, template[0], template[1], written))
		}
		for _, argument := range [][2]string{{"build", "near"}, {"repair", "where"}, {"tour", "from"}} {
			ask("completion of a prompt", "completion/complete", fmt.Sprintf(`{"ref":{"type":"ref/prompt","name":%q},"argument":{"name":%q,"value":%q}}`, argument[0], argument[1], written))
		}
	}
	for _, prompt := range []string{"build", "repair", "tour"} {
		ask("prompt", "prompts/get", fmt.Sprintf(`{"name":%q,"arguments":{"what":"x"}}`, prompt))
	}
	o.send("subscriptions/listen", `{"notifications":{"dev.limina/state-sync":{}}}`, true)
	time.Sleep(time.Second)
	told("snapshot", o.told())
	for _, k := range e.Registry.List(registry.Filter{Grants: &grants}) {
		for _, input := range guesses(o.t, k) {
			ask(k.Name(), "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"dev.limina/dryRun":true}}`, k.Name(), input))
		}
		if k.Info().Effect == registry.Reads || k.Name() == "scene.export" {
			for _, input := range []string{
				`{}`, `{"entity":"ent_1"}`, `{"entity":"ent_2"}`, `{"since":1}`, `{"since":1,"others":true}`, `{"agent":"god"}`, `{"agentId":"god"}`, `{"limit":1000}`, `{"form":"events"}`, `{"form":"log"}`,
				`{"entity":"ent_1","itemId":"x"}`, `{"entity":"ent_2","key":"x"}`, `{"speaker":"ent_2"}`, `{"speaker":"ent_2","listener":"ent_3"}`, `{"approvalId":"apr_1"}`,
			} {
				ask(k.Name(), "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, k.Name(), input))
			}
		}
	}
}

// guesses returns inputs of a skill that name what there is not, each with another field.
func guesses(t *testing.T, k registry.Skill) (inputs []string) {
	t.Helper()
	var schema struct {
		Properties map[string]struct {
			Type     any
			Pattern  string
			Enum     []any
			MinItems int
		}
		Required []string
	}
	if err := json.Unmarshal(k.InputSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	value := func(field string) any {
		switch p := schema.Properties[field]; {
		case len(p.Enum) > 0:
			return p.Enum[0]
		case strings.HasPrefix(p.Pattern, "^ent_"):
			return "ent_2"
		case p.Type == "string":
			return "nosuch"
		case p.Type == "number", p.Type == "integer":
			return 1
		case p.Type == "boolean":
			return true
		case p.Type == "array":
			return make([]int, p.MinItems)
		default:
			return map[string]any{}
		}
	}
	for field, p := range schema.Properties {
		if p.Type != "string" || p.Pattern != "" {
			continue
		}
		in := map[string]any{field: value(field)}
		for _, required := range schema.Required {
			in[required] = value(required)
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, string(text))
	}
	slices.Sort(inputs)
	return inputs
}

// Who may not read something is told the same of what there is and of what there is not.
func TestRefusalsTellNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set, err := profiles.Builtin().With([]byte(`profiles: {blind: {grants: [agent.write]}}`), "test")
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(engine.Config{Profiles: set, Review: []string{"builder.review"}, Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		ada, eve := onlook(t, e, "ada", "builder.review"), onlook(t, e, "eve", "blind")
		god := onlook(t, e, "god", "builder.readWrite")
		god.must("scene.createEntity", `{}`)
		god.must("scene.createEntity", `{}`)
		ada.tool("scene.createEntity", `{}`) // apr_1
		number := regexp.MustCompile(`(ent|evt|apr)_[0-9]+|"id":[0-9]+`)
		for _, tt := range []struct{ method, params, there, not string }{
			{"resources/read", `{"uri":"limina://entity/%s"}`, "ent_1", "ent_7"},
			{"resources/read", `{"uri":"limina://trace/%s"}`, "evt_1", "evt_7000"},
			{"resources/subscribe", `{"uri":"limina://entity/%s"}`, "ent_1", "ent_7"},
			{"resources/subscribe", `{"uri":"limina://trace/%s"}`, "evt_1", "evt_7000"},
			{"completion/complete", `{"ref":{"type":"ref/resource","uri":"limina://entity/{id}"},"argument":{"name":"id","value":"%s"}}`, "ent_1", "ent_7"},
			{"tools/call", `{"name":"approval.withdraw","arguments":{"approvalId":"%s"}}`, "apr_1", "apr_7"},
			{"tools/call", `{"name":"approval.mine","arguments":{"approvalId":"%s"}}`, "apr_1", "apr_7"},
			{"tools/call", `{"name":"approval.grant","arguments":{"approvalId":"%s"}}`, "apr_1", "apr_7"},
			{"tools/call", `{"name":"scene.destroyEntity","arguments":{"entity":"%s"}}`, "ent_1", "ent_7"},
			{"tools/call", `{"name":"audit.explain","arguments":{"eventId":"%s"}}`, "evt_1", "evt_7000"},
			{"tools/call", `{"name":"trace.explainEvent","arguments":{"eventId":"%s"}}`, "evt_1", "evt_7000"},
		} {
			told := func(id string) string {
				got := eve.ask(tt.method, fmt.Sprintf(tt.params, id))
				if !strings.Contains(got, `"error"`) && !strings.Contains(got, `"isError":true`) && !strings.Contains(got, `"found":false`) {
					t.Errorf("%s %s of %s: %s", tt.method, tt.params, id, got)
				}
				return number.ReplaceAllString(got, "#")
			}
			if there, not := told(tt.there), told(tt.not); there != not {
				t.Errorf("%s %s: of what there is %s\nof what there is not %s", tt.method, tt.params, there, not)
			}
		}
	})
}
