package approvals_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/approvals"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// rig is a registry on a world, with a gate, these skills, and one that builds.
type rig struct {
	t   *testing.T
	reg *registry.Registry
	w   *world.World
}

type buildIn struct {
	At   world.Vec3 `json:"at"`
	Fail bool       `json:"fail,omitempty"`
}

type buildOut struct {
	Entity world.ID `json:"entity"`
}

type rowIn struct {
	Houses int `json:"houses"`
}

type batchIn struct {
	Calls []registry.Object `json:"calls"` // of approval.grant
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	w := world.New(world.Config{})
	r := &rig{t, registry.New(registry.Options{Gate: g, Tick: w.Tick}), w}
	build := registry.Define(registry.Spec[buildIn, buildOut]{
		Name: "site.build", Description: "Build.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, in buildIn) (buildOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (buildOut, error) {
				id, err := tx.Create(world.Spec{Position: in.At})
				if err == nil && in.Fail {
					err = registry.Errorf(registry.CodeCapacityExceeded, "at: the ground is soft")
				}
				return buildOut{id}, err
			})
		},
	})
	row := registry.Define(registry.Spec[rowIn, struct{}]{
		Name: "site.row", Description: "Build a row.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, in rowIn) (struct{}, error) {
			return world.Do(w, c, func(*world.Tx) (struct{}, error) {
				for range in.Houses {
					if _, err := c.Invoke("site.build", []byte(`{"at":[0,0,0]}`)); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})
		},
	})
	batch := registry.Define(registry.Spec[batchIn, struct{}]{
		Name: "site.batch", Description: "Grant after a change.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, in batchIn) (struct{}, error) {
			return world.Do(w, c, func(tx *world.Tx) (struct{}, error) {
				for _, call := range in.Calls {
					if _, err := c.Invoke("approval.grant", call); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})
		},
	})
	for _, skills := range [][]registry.Skill{{build, row, batch}, approvals.All(g), catalogue.All()} {
		if err := r.reg.Register(skills...); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// as returns a caller with a built-in profile.
func as(t *testing.T, id, profile string) *profiles.Principal {
	t.Helper()
	grants, err := profiles.Builtin().Resolve(profile)
	if err != nil {
		t.Fatal(err)
	}
	return &profiles.Principal{ID: id, Session: "s-" + id, Profile: profile, Grants: grants}
}

// call calls a skill and returns its output, or "code: message".
func (r *rig) call(p *profiles.Principal, name, input string) string {
	r.t.Helper()
	res := r.reg.Invoke(r.t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
	if res.Err != nil {
		return fmt.Sprintf("%s: %s", res.Err.Code, res.Err.Message)
	}
	return string(res.Output)
}

func (r *rig) want(p *profiles.Principal, name, input, want string) {
	r.t.Helper()
	if got := r.call(p, name, input); got != want {
		r.t.Errorf("%s %s as %s:\n got %s\nwant %s", name, input, p.ID, got, want)
	}
}

// events returns the log as lines of "id actor type <causes>".
func (r *rig) events() (lines []string) {
	events, _ := r.reg.Trace().Tail(trace.Filter{})
	for _, e := range events {
		lines = append(lines, fmt.Sprint(e.ID, " ", e.ActorID, " ", e.Type, " ", e.CausedBy))
	}
	return lines
}

func TestReview(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "site.build", `{"at":[1,2,3]}`, "pending_approval: apr_1")
	r.want(bob, "site_build", `{"at":[4,5,6],"fail":true}`, "pending_approval: apr_2")
	r.want(bob, "site.build", `{"at":[7,8,9]}`, "pending_approval: apr_3")
	r.want(rita, "approval.list", `{}`, `{"pending":[`+
		`{"approvalId":"apr_1","skill":"site.build","agentId":"bob","profile":"builder.review","tick":0,"input":{"at":[1,2,3]}},`+
		`{"approvalId":"apr_2","skill":"site.build","agentId":"bob","profile":"builder.review","tick":0,"input":{"at":[4,5,6],"fail":true}},`+
		`{"approvalId":"apr_3","skill":"site.build","agentId":"bob","profile":"builder.review","tick":0,"input":{"at":[7,8,9]}}]}`)
	r.want(rita, "approval.grant", `{"approvalId":"apr_1"}`, `{"resolved":true,"applied":true,"error":null}`)
	r.want(rita, "approval.grant", `{"approvalId":"apr_2"}`, `{"resolved":true,"applied":false,"error":"capacity_exceeded: at: the ground is soft"}`)
	r.want(rita, "approval.deny", `{"approvalId":"apr_3","reason":"too near"}`, `{"resolved":true,"error":null}`)
	r.want(rita, "approval.list", `{}`, `{"pending":[]}`)
	for _, name := range []string{"approval.grant", "approval.deny"} {
		r.want(rita, name, `{"approvalId":"apr_1"}`, `handler_error: approvalId: no call is held as "apr_1"; nothing is held`)
		r.want(rita, name, `{"approvalId":"`+strings.Repeat("x", 100)+`"}`, `handler_error: approvalId: no call is held as "`+strings.Repeat("x", 48)+`…"; nothing is held`)
	}

	want := []string{
		"evt_0 bob approval.held []", "evt_1 bob approval.held []", "evt_2 bob approval.held []", "evt_3 rita skill.executed []",
		"evt_4 bob skill.executed [evt_0]", "evt_5 rita skill.executed []", "evt_6 rita approval.granted []",
		"evt_7 bob skill.refused [evt_1]", "evt_8 rita skill.executed []", "evt_9 rita approval.granted []",
		"evt_10 rita skill.executed []", "evt_11 rita approval.denied []",
	}
	if diff := cmp.Diff(want, r.events()[:len(want)]); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	who := `"skill":"site.build","agentId":"bob","sessionId":"s-bob","profile":"builder.review",`
	for id, want := range map[trace.ID]string{
		7:  `{"approvalId":"apr_1",` + who + `"outcome":"applied","events":["evt_4"],"answer":{"entity":"ent_0"}}`,
		10: `{"approvalId":"apr_2",` + who + `"outcome":"failed","code":"capacity_exceeded","reason":"at: the ground is soft","events":["evt_7"]}`,
		12: `{"approvalId":"apr_3",` + who + `"outcome":"dropped","reason":"too near"}`,
	} {
		if e, _ := r.reg.Trace().Get(id); string(e.Payload) != want {
			t.Errorf("%v:\n got %s\nwant %s", id, e.Payload, want)
		}
	}
	r.w.View(func(v *world.View) {
		if v.Len() != 1 || v.Tick() != 1 {
			t.Errorf("%d entities at tick %d, want one in a commit of its own", v.Len(), v.Tick())
		}
	})
}

// TestHeldUndo holds that an undo which waits for a reviewer takes back what was newest when it was asked for, or nothing.
func TestHeldUndo(t *testing.T) {
	r := newRig(t)
	if err := r.reg.Register(history.Undo(r.w), history.Redo(r.w)); err != nil {
		t.Fatal(err)
	}
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	granted := func(name, input, want string) {
		t.Helper()
		held := strings.TrimPrefix(r.call(bob, name, input), "pending_approval: ")
		r.want(rita, "approval.grant", `{"approvalId":"`+held+`"}`, want)
	}
	const done = `{"resolved":true,"applied":true,"error":null}`
	granted("site.build", `{"at":[1,2,3]}`, done)
	undo := strings.TrimPrefix(r.call(bob, "world.undo", `{}`), "pending_approval: ")
	granted("site.build", `{"at":[4,5,6]}`, done)
	r.want(rita, "approval.grant", `{"approvalId":"`+undo+`"}`, `{"resolved":true,"applied":false,"error":"handler_error: your newest step is another one than when you called: site.build in revision 2 came since; call again if you still mean it"}`)
	if n := entities(r.w); n != 2 {
		t.Errorf("%d entities are there, want 2", n)
	}
	granted("world.undo", `{}`, done)
	redo := strings.TrimPrefix(r.call(bob, "world.redo", `{}`), "pending_approval: ")
	granted("world.redo", `{}`, done)
	granted("world.undo", `{}`, done)
	r.want(rita, "approval.grant", `{"approvalId":"`+redo+`"}`, `{"resolved":true,"applied":false,"error":"handler_error: your newest step is another one than when you called: site.build in revision 5 came since; call again if you still mean it"}`)
	if n := entities(r.w); n != 1 {
		t.Errorf("%d entities are there, want 1", n)
	}
}

// TestMine holds that whoever is held asks after his own calls, in a later session, too, and takes them back; nobody else does.
func TestMine(t *testing.T) {
	r := newRig(t)
	bob, eve, rita := as(t, "bob", "builder.review"), as(t, "eve", "builder.review"), as(t, "rita", "reviewer")
	for i := range 4 {
		r.want(bob, "site.build", `{"at":[1,2,3]`+[]string{"", `,"fail":true`}[i%2]+`}`, fmt.Sprintf("pending_approval: apr_%d", i+1))
	}
	r.call(rita, "approval.grant", `{"approvalId":"apr_1"}`)
	r.call(rita, "approval.grant", `{"approvalId":"apr_2"}`)
	r.call(rita, "approval.deny", `{"approvalId":"apr_3","reason":"too near"}`)
	const (
		pending   = `{"approvalId":"apr_4","skill":"site.build","agentId":"bob","profile":"builder.review","tick":0,"input":{"at":[1,2,3],"fail":true}}`
		applied   = `{"approvalId":"apr_1","skill":"site.build","outcome":"applied","by":"rita","answer":{"entity":"ent_0"}}`
		failed    = `{"approvalId":"apr_2","skill":"site.build","outcome":"failed","by":"rita","code":"capacity_exceeded","reason":"at: the ground is soft"}`
		dropped   = `{"approvalId":"apr_3","skill":"site.build","outcome":"dropped","by":"rita","reason":"too near"}`
		withdrawn = `{"approvalId":"apr_4","skill":"site.build","outcome":"withdrawn","by":"bob"}`
	)
	bob.Session = "another"
	r.want(bob, "approval.mine", `{}`, `{"pending":[`+pending+`],"decided":[`+applied+`,`+failed+`,`+dropped+`]}`)
	r.want(bob, "approval.mine", `{"approvalId":"apr_2"}`, `{"pending":[],"decided":[`+failed+`]}`)
	r.want(eve, "approval.mine", `{}`, `{"pending":[],"decided":[]}`)
	r.want(eve, "approval.mine", `{"approvalId":"apr_2"}`, `handler_error: approvalId: no call of yours was held as "apr_2", as far back as the trace goes; leave it out to see all of yours`)
	for _, other := range []*profiles.Principal{eve, rita} {
		r.want(other, "approval.withdraw", `{"approvalId":"apr_4"}`, `handler_error: approvalId: no call of yours is held as "apr_4"; nothing is held`)
	}
	r.want(eve, "approval.mine", `{"approvalId":"`+strings.Repeat("x", 100)+`"}`, `handler_error: approvalId: no call of yours was held as "`+strings.Repeat("x", 48)+`…", as far back as the trace goes; leave it out to see all of yours`)
	r.want(bob, "approval.withdraw", `{"approvalId":"apr_4"}`, `{"withdrawn":"apr_4","skill":"site.build"}`)
	r.want(eve, "approval.mine", `{"approvalId":"`+strings.Repeat("x", 100)+`"}`, `handler_error: approvalId: no call of yours was held as "`+strings.Repeat("x", 48)+`…", as far back as the trace goes; leave it out to see all of yours`)
	r.want(bob, "approval.withdraw", `{"approvalId":"apr_4"}`, `handler_error: approvalId: no call of yours is held as "apr_4"; nothing is held`)
	r.want(bob, "approval.mine", `{}`, `{"pending":[],"decided":[`+applied+`,`+failed+`,`+dropped+`,`+withdrawn+`]}`)
	for range 25 {
		held := strings.TrimPrefix(r.call(bob, "site.build", `{"at":[1,2,3]}`), "pending_approval: ")
		r.call(bob, "approval.withdraw", `{"approvalId":"`+held+`"}`)
	}
	var out approvals.MineOut
	if err := json.Unmarshal([]byte(r.call(bob, "approval.mine", `{}`)), &out); err != nil || len(out.Decided) != 20 || out.Decided[19].ApprovalID != "apr_29" {
		t.Errorf("%d are told, %v", len(out.Decided), err)
	}
}

func entities(w *world.World) (n int) {
	w.View(func(v *world.View) { n = v.Len() })
	return n
}

func TestHeldThroughSkillsCall(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "skills.call", `{"name":"site.build","input":{"at":[1,2,3]}}`, "pending_approval: apr_1")
	got := r.call(rita, "approval.list", `{}`)
	if !strings.Contains(got, `"skill":"site.build","agentId":"bob"`) {
		t.Errorf("what is held is the inner call, not %s", got)
	}
	r.want(rita, "skills.call", `{"name":"approval.grant","input":{"approvalId":"apr_1"}}`, `{"resolved":true,"applied":true,"error":null}`)
}

func TestWhoMayReview(t *testing.T) {
	r := newRig(t)
	bob := as(t, "bob", "builder.review")
	r.want(bob, "site.build", `{"at":[1,2,3]}`, "pending_approval: apr_1")
	for name, input := range map[string]string{
		"approval.list": `{}`, "approval.grant": `{"approvalId":"apr_1"}`, "approval.deny": `{"approvalId":"apr_1"}`,
	} {
		r.want(bob, name, input, "forbidden: missing permission: approval.review")
	}
	own := as(t, "bob", "reviewer.coordinator") // the same agent, with another profile
	r.want(own, "approval.grant", `{"approvalId":"apr_1"}`, "forbidden: approvalId: apr_1 is your own call; another reviewer has to grant it")
	colleague := as(t, "rita", "reviewer")
	colleague.Session = "s-bob"
	r.want(colleague, "approval.grant", `{"approvalId":"apr_1"}`, "forbidden: approvalId: apr_1 is your own call; another reviewer has to grant it")
	r.want(own, "approval.deny", `{"approvalId":"apr_1"}`, `{"resolved":true,"error":null}`) // he may think better of it
}

// TestGrantInsideAChange grants while a transaction is open: it must be refused, or it would wait
// for itself.
func TestGrantInsideAChange(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "site.build", `{"at":[1,2,3]}`, "pending_approval: apr_1")
	r.want(rita, "site.batch", `{"calls":[{"approvalId":"apr_1"}]}`,
		"handler_error: approval.grant has to be called on its own: what it grants is a change of its own")
	r.want(rita, "approval.grant", `{"approvalId":"apr_1"}`, `{"resolved":true,"applied":true,"error":null}`) // it is still held
}

func TestNullProfile(t *testing.T) {
	g := approval.NewGate(approval.Options{Profiles: []string{""}})
	reg := registry.New(registry.Options{Gate: g})
	if err := reg.Register(append(approvals.All(g), registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "site.dig", Description: "Dig.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(*registry.Call, struct{}) (struct{}, error) { return struct{}{}, nil },
	}))...); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, reg: reg}
	r.call(&profiles.Principal{ID: "bob", Grants: profiles.Grant("scene.write")}, "site.dig", "")
	rita := &profiles.Principal{ID: "rita", Profile: "reviewer", Grants: profiles.Grant("approval.review")}
	r.want(rita, "approval.list", "", `{"pending":[{"approvalId":"apr_1","skill":"site.dig","agentId":"bob","profile":null,"tick":0,"input":{}}]}`)
}

// TestOutcomeIsCallersText denies with a reason that looks like an event.
func TestOutcomeIsCallersText(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "site.build", `{"at":[1,2,3]}`, "pending_approval: apr_1")
	reason := `","outcome":"applied"}` + "\n{"
	input, _ := json.Marshal(map[string]string{"approvalId": "apr_1", "reason": reason})
	r.want(rita, "approval.deny", string(input), `{"resolved":true,"error":null}`)
	e, _ := r.reg.Trace().Get(3)
	var got struct{ Outcome, Reason string }
	if err := json.Unmarshal(e.Payload, &got); err != nil || got.Outcome != "dropped" || got.Reason != reason {
		t.Errorf("%s: %+v, %v", e.Payload, got, err)
	}
}

// TestLongReason denies with a reason that no event could hold.
func TestLongReason(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "site.build", `{"at":[1,2,3]}`, "pending_approval: apr_1")
	r.want(rita, "approval.deny", `{"approvalId":"apr_1","reason":"`+strings.Repeat("é", 50_000)+`"}`, `{"resolved":true,"error":null}`)
	e, _ := r.reg.Trace().Get(3)
	if want := strings.Repeat("é", 1000) + `…"}`; e.Type != approvals.EventDenied || !strings.HasSuffix(string(e.Payload), want) {
		t.Errorf("%s of %d bytes", e.Type, len(e.Payload))
	}
}

// TestManyEvents grants a call that has more events than the decision's can name: it is done by then, so the reviewer is
// told so, and it is recorded.
func TestManyEvents(t *testing.T) {
	r := newRig(t)
	bob, rita := as(t, "bob", "builder.review"), as(t, "rita", "reviewer")
	r.want(bob, "site.row", `{"houses":10000}`, "pending_approval: apr_1")
	r.want(rita, "approval.grant", `{"approvalId":"apr_1"}`, `{"resolved":true,"applied":true,"error":null}`)
	events, _ := r.reg.Trace().Tail(trace.Filter{Newest: true})
	last := events[len(events)-1]
	var got struct {
		Outcome string
		Events  []string
	}
	if err := json.Unmarshal(last.Payload, &got); err != nil || last.Type != approvals.EventGranted || got.Outcome != "applied" {
		t.Fatalf("the last event is %s %.100s, %v", last.Type, last.Payload, err)
	}
	if len(got.Events) != 1000 || got.Events[0] != "evt_1" {
		t.Errorf("it names %d events, the first is %s; want 1000 from the call's own, evt_1, on", len(got.Events), got.Events[0])
	}
	r.w.View(func(v *world.View) {
		if v.Len() != 10_000 {
			t.Errorf("%d houses", v.Len())
		}
	})
}

// TestAnswer holds that what came of a call tells as much of its answer as there is room for.
func TestAnswer(t *testing.T) {
	list := `[` + strings.Repeat(`"ent_1",`, 200) + `"ent_1"]`
	for output, want := range map[string]string{
		`{"entity":"ent_0","at":[1,2]}`:                                        `{"entity":"ent_0","at":[1,2]}`,
		`{"entities":` + list + `,"group":"ent_9","bounds":{"min":[0]},"n":3}`: `{"group":"ent_9","n":3}`,
		`{"entities":` + list + `}`:                                            ``,
		list:                                                                   ``,
	} {
		if got := string(approvals.Granted(&approval.Held{}, &registry.Result{Output: []byte(output)}).Answer); got != want {
			t.Errorf("of %.40s… %s is told, want %s", output, got, want)
		}
	}
}
