package registry_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// holder is a gate that holds every test.write.
type holder struct{ held []*registry.Pending }

func (h *holder) Judge(p *registry.Pending) registry.Verdict {
	if p.Skill.Name != "test.write" {
		return registry.Verdict{}
	}
	h.held = append(h.held, p)
	return registry.Verdict{Decision: registry.Hold, Reason: "no. 1"}
}

func TestGateSees(t *testing.T) {
	h := &holder{}
	r := newRig(t, registry.Options{Gate: h})
	input := []byte(`{"line":"a"}`)
	res := r.reg.Invoke(t.Context(), &registry.Request{Name: "test_write", Input: input, Principal: writer()}, nil)
	copy(input, "overwritten!")
	if got, want := text(res.Err), "pending_approval: no. 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p := h.held[0]
	if p.Skill.Name != "test.write" || p.Principal != *writer() || string(p.Input) != `{"line":"a"}` || p.Intent != res.Intent || p.Tick != 7 {
		t.Errorf("the gate saw %+v", p)
	}
}

func TestHeldCallRuns(t *testing.T) {
	h := &holder{}
	r := newRig(t, registry.Options{Gate: h})
	p := writer()
	res := r.call(p, "test.write", `{"line":"a"}`)
	p.ID, p.Session, p.Grants = "somebody else", "s9", profiles.Grants{} // he is gone; the call stays his
	if r.ledger.all() != nil {
		t.Fatal("a held call has run")
	}
	again := resume(h.held[0])
	if again.Err != nil || again.Tick != 1 || again.Intent == res.Intent {
		t.Fatalf("resumed: %+v", again)
	}
	events := r.events()
	held, ran := events[0], events[1]
	if held.Type != registry.EventHeld || r.payload(held)["approvalId"] != "no. 1" {
		t.Errorf("the hold's event: %+v %s", held, held.Payload)
	}
	if ran.Type != registry.EventExecuted || ran.ActorID != "mason" || ran.ThreadID != "s1" {
		t.Errorf("the call's event: %+v", ran)
	}
	if diff := cmp.Diff([]trace.ID{held.ID}, ran.CausedBy); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
	}
}

// TestHeldCallIsChecked resumes a call whose skill has become another one meanwhile, or is gone.
func TestHeldCallIsChecked(t *testing.T) {
	skill := func(need profiles.Permission) registry.Skill {
		return registry.Define(registry.Spec[writeIn, struct{}]{
			Name: "test.write", Description: "Another one.", Permissions: []profiles.Permission{need},
			Handle: func(*registry.Call, writeIn) (struct{}, error) { return struct{}{}, nil },
		})
	}
	tests := []struct {
		name   string
		change func(*registry.Registry) error
		want   string
	}{
		{"needs more", func(r *registry.Registry) error { return r.Replace(skill("ui.write")) }, "forbidden: missing permission: ui.write"},
		{"is gone", func(r *registry.Registry) error { r.Unregister("test.write"); return nil }, "not_found: unknown skill: test.write. Nearest: test.echo, test.seq"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &holder{}
			r := newRig(t, registry.Options{Gate: h})
			r.call(writer(), "test.write", `{"line":"a"}`)
			if err := tt.change(r.reg); err != nil {
				t.Fatal(err)
			}
			if got := text(resume(h.held[0]).Err); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestGrantedCallsAreNotHeldAgain has a gate that holds everything: what a granted call calls is
// part of what the reviewer has agreed to.
func TestGrantedCallsAreNotHeldAgain(t *testing.T) {
	var held []*registry.Pending
	r := newRig(t, registry.Options{Gate: gate(func(p *registry.Pending) registry.Verdict {
		held = append(held, p)
		return registry.Verdict{Decision: registry.Hold, Reason: "wait"}
	})})
	r.call(writer(), "test.seq", seq("", `test.write {"line":"a"}`, `test.write {"line":"b"}`))
	if res := resume(held[0]); res.Err != nil {
		t.Fatal(res.Err)
	}
	if len(held) != 1 || len(r.ledger.all()) != 2 {
		t.Errorf("%d calls were held; lines %v", len(held), r.ledger.all())
	}
}

// TestHeldInner holds calls inside a call that itself may pass.
func TestHeldInner(t *testing.T) {
	h := &holder{}
	r := newRig(t, registry.Options{Gate: h})
	res := r.call(writer(), "test.seq", seq("", `test.echo {}`, `test.write {"line":"a"}`))
	if got, want := text(res.Err), "pending_approval: no. 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	res = r.call(writer(), "test.seq", seq(`,"go":true`, `test.write {"line":"b"}`, `test.write {"line":"c"}`))
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	for _, p := range h.held {
		if res := resume(p); res.Err != nil {
			t.Error(res.Err)
		}
	}
	want := `approval.held test.seq no. 1
  approval.held test.write no. 1
skill.executed test.seq
  approval.held test.write no. 1
  approval.held test.write no. 1
skill.executed test.write
skill.executed test.write
skill.executed test.write
`
	if diff := cmp.Diff(want, r.tree()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	var causes [][]trace.ID
	for _, e := range r.events()[5:] {
		causes = append(causes, e.CausedBy)
	}
	if diff := cmp.Diff([][]trace.ID{{2}, {4}, {5}}, causes); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, r.ledger.all()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestResumeWaitsForTheHold resumes a call while the one that was held is not over yet: its event
// must come after that of the hold, and name it.
func TestResumeWaitsForTheHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan registry.Result)
		first := true
		r := newRig(t, registry.Options{Gate: gate(func(p *registry.Pending) registry.Verdict {
			if first {
				first = false
				go func() { done <- p.Resume(context.Background()) }()
				synctest.Wait() // the reviewer is as far as he gets
				return registry.Verdict{Decision: registry.Hold, Reason: "wait"}
			}
			return registry.Verdict{}
		})})
		r.call(writer(), "test.write", `{"line":"a"}`)
		if res := <-done; res.Err != nil {
			t.Fatal(res.Err)
		}
		events := r.events()
		if len(events) != 2 || events[0].Type != registry.EventHeld || events[1].CausedBy[0] != events[0].ID {
			t.Errorf("events %+v", events)
		}
	})
}

func TestResumeOfAnUnrecordedHold(t *testing.T) {
	h := &holder{}
	broken := true
	r := newRig(t, registry.Options{Gate: h, Trace: trace.New(trace.Options{Sink: sink(func([]byte) error {
		if broken {
			return errors.New("the disk is full")
		}
		return nil
	})})})
	res := r.call(writer(), "test.write", `{"line":"a"}`)
	if got, want := text(res.Err), "handler_error: internal error in call 1; nothing was changed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	broken = false
	res = resume(h.held[0])
	contains(t, text(res.Err), "handler_error: the hold of this call could not be recorded")
	if len(r.ledger.all()) != 0 || len(r.events()) != 0 {
		t.Errorf("lines %v, events %v", r.ledger.all(), r.events())
	}
}

func TestResumeCancelled(t *testing.T) {
	var p *registry.Pending
	r := newRig(t, registry.Options{Gate: gate(func(q *registry.Pending) registry.Verdict {
		p = q
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		contains(t, text(q.Resume(ctx).Err), "cancelled while waiting")
		return registry.Verdict{Decision: registry.Hold, Reason: "wait"}
	})})
	r.call(writer(), "test.write", `{"line":"a"}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, want := text(p.Resume(ctx).Err), "handler_error: cancelled"; got[:len(want)] != want {
		t.Errorf("got %s", got)
	}
}

func TestGateDenies(t *testing.T) {
	for _, tt := range []struct {
		code registry.Code
		want string
	}{
		{"", "forbidden: the shop is closed"},
		{registry.CodeCapacityExceeded, "capacity_exceeded: the shop is closed"},
	} {
		r := newRig(t, registry.Options{Gate: gate(func(*registry.Pending) registry.Verdict {
			return registry.Verdict{Decision: registry.Deny, Code: tt.code, Reason: "the shop is closed"}
		})})
		if got := text(r.call(writer(), "test.write", `{"line":"a"}`).Err); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// screen is a gate that says early which calls concern it.
type screen struct {
	concerns func(*registry.Info, *profiles.Principal) bool
	gate
}

func (s screen) Concerns(k *registry.Info, p *profiles.Principal) bool { return s.concerns(k, p) }

// TestJudgesNobody asks a gate that looks at who calls about nobody: it gets a principal without permissions.
func TestJudgesNobody(t *testing.T) {
	var asked []profiles.Principal
	r := newRig(t, registry.Options{Gate: screen{
		func(_ *registry.Info, p *profiles.Principal) bool { asked = append(asked, *p); return true },
		func(*registry.Pending) registry.Verdict { return registry.Verdict{} },
	}})
	k, _ := r.reg.Lookup("test.write")
	if !r.reg.Judges(k, nil) || len(asked) != 1 || asked[0].Grants.Has("scene.write") || asked[0].ID != "" {
		t.Errorf("asked about %+v", asked)
	}
}

// TestReviewAddsPermissions: what a call is about to do is judged with the permissions of what it will call, and the skill's
// own declaration stays as it is.
func TestReviewAddsPermissions(t *testing.T) {
	var asked [][]profiles.Permission
	own := []profiles.Permission{"scene.write", "agent.read"} // not in the order of names
	r := newRig(t, registry.Options{Gate: gate(func(p *registry.Pending) registry.Verdict {
		asked = append(asked, p.Skill.Permissions)
		return registry.Verdict{}
	})}, registry.Define(registry.Spec[seqIn, struct{}]{
		Name: "test.plan", Description: "Have what it would call reviewed.", Permissions: own,
		Handle: func(c *registry.Call, in seqIn) (struct{}, error) {
			var names []string
			for _, s := range in.Steps {
				names = append(names, s.Name)
			}
			return struct{}{}, c.Review(names)
		},
	}))
	as := writer()
	as.Grants = profiles.Grant("agent.read", "scene.read", "scene.write")
	for _, steps := range []string{seq("", "test.echo {}", "no.such {}"), seq("", "test.write {}")} {
		if res := r.call(as, "test.plan", steps); res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	want := [][]profiles.Permission{own, {"agent.read", "scene.write"}, own, {"agent.read", "scene.read", "scene.write"}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("the gate was asked of (-want +got):\n%s", diff)
	}
	if k, _ := r.reg.Lookup("test.plan"); !slices.Equal(k.Info().Permissions, own) {
		t.Errorf("the skill now declares %v, want %v", k.Info().Permissions, own)
	}
}

// TestElapsedOfARefusal has a gate take its time before it says no: that is how long the call took.
func TestElapsedOfARefusal(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRig(t, registry.Options{
		Clock: func() time.Time { return now },
		Gate: gate(func(*registry.Pending) registry.Verdict {
			now = now.Add(time.Minute)
			return registry.Verdict{Decision: registry.Deny, Reason: "no"}
		}),
	})
	if res := r.call(writer(), "test.write", `{"line":"a"}`); res.Err == nil || res.Elapsed != time.Minute {
		t.Errorf("got %s after %v, want a refusal after a minute", text(res.Err), res.Elapsed)
	}
}

func TestScreener(t *testing.T) {
	var asked, judged []string
	r := newRig(t, registry.Options{Gate: screen{
		func(k *registry.Info, p *profiles.Principal) bool {
			asked = append(asked, p.ID+" "+k.Name)
			return k.Name == "test.write"
		},
		func(p *registry.Pending) registry.Verdict {
			judged = append(judged, p.Skill.Name)
			return registry.Verdict{}
		},
	}})
	r.must("test.echo", "")
	r.must("test.write", `{"line":"a"}`)
	if diff := cmp.Diff([][]string{{"mason test.echo", "mason test.write"}, {"test.write"}}, [][]string{asked, judged}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHoldThatIsLost: a call that was held by Review, and did not say so, or asked once more, has holds that no event tells
// of. Resume says so; it does not wait for what does not come.
func TestHoldThatIsLost(t *testing.T) {
	for _, tt := range []struct {
		name string
		then func(c *registry.Call, held error) error
		want []string // of each hold
	}{
		{"returned", func(_ *registry.Call, held error) error { return held }, []string{"ok"}},
		{"another failure", func(*registry.Call, error) error { return registry.Failf("no") }, []string{"could not be recorded"}},
		{"a refusal", func(*registry.Call, error) error { return registry.Errorf(registry.CodeForbidden, "no") }, []string{"could not be recorded"}},
		{"a panic", func(*registry.Call, error) error { panic("no") }, []string{"could not be recorded"}},
		{"asked again", func(c *registry.Call, _ error) error { return c.Review([]string{"test.write"}) }, []string{"could not be recorded", "ok"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var held []*registry.Pending
				r := newRig(t, registry.Options{Gate: gate(func(p *registry.Pending) registry.Verdict {
					if p.Skill.Permissions == nil {
						return registry.Verdict{}
					}
					held = append(held, p)
					return registry.Verdict{Decision: registry.Hold, Reason: "no. 1"}
				})}, registry.Define(registry.Spec[struct{}, struct{}]{
					Name: "test.many", Description: "Make several calls.", Permissions: []profiles.Permission{profiles.Anyone},
					Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
						if err := c.Review([]string{"test.write"}); err != nil {
							return struct{}{}, tt.then(c, err)
						}
						return struct{}{}, nil
					},
				}))
				r.call(writer(), "test.many", "")
				if len(held) != len(tt.want) {
					t.Fatalf("%d holds, want %d", len(held), len(tt.want))
				}
				for i, want := range tt.want {
					ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
					contains(t, text(held[i].Resume(ctx).Err), want)
					cancel()
				}
			})
		})
	}
}

// A call that was held keeps its condition: it may run long after its caller has looked.
func TestHeldCallKeepsItsCondition(t *testing.T) {
	var saw []uint64
	h := &holder{}
	r := registry.New(registry.Options{Gate: h})
	if err := r.Register(registry.Define(registry.Spec[writeIn, struct{}]{
		Name: "test.write", Description: "Say which revision the caller has seen.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ writeIn) (struct{}, error) {
			revision, ok := c.Seen()
			if !ok {
				t.Error("the condition is gone")
			}
			saw = append(saw, revision)
			return struct{}{}, nil
		},
	})); err != nil {
		t.Fatal(err)
	}
	seen := uint64(41)
	r.Invoke(t.Context(), &registry.Request{Name: "test.write", Input: []byte(`{"line":"a"}`), Principal: writer(), IfRevision: &seen}, nil)
	seen = 99 // the caller goes on
	if res := resume(h.held[0]); res.Err != nil {
		t.Fatal(res.Err)
	}
	if diff := cmp.Diff([]uint64{41}, saw); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
}

// TestVerdicts: whatever a gate says, what it has not let pass is not done, and the caller is told something.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		verdict registry.Verdict
		want    string
		logged  bool
	}{
		{registry.Verdict{Decision: registry.Deny, Reason: "no"}, "forbidden: no", false},
		{registry.Verdict{Decision: registry.Deny, Reason: "no", Code: registry.CodeConflict}, "conflict: no", false},
		{registry.Verdict{Decision: registry.Deny}, "forbidden: whoever runs this world does not allow the call", false},
		{registry.Verdict{Decision: registry.Hold}, "handler_error: internal error in call 1; nothing was changed", true},
		{registry.Verdict{Decision: 99, Reason: "what"}, "handler_error: internal error in call 1; nothing was changed", true},
	} {
		var log bytes.Buffer
		var pending *registry.Pending
		r := newRig(t, registry.Options{Logger: zerolog.New(&log), Gate: gate(func(p *registry.Pending) registry.Verdict {
			pending = p
			return tt.verdict
		})})
		res := r.call(writer(), "test.write", `{"line":"a"}`)
		if got := text(res.Err); got != tt.want || r.ledger.all() != nil {
			t.Errorf("%+v: %s, want %s; done is %v", tt.verdict, got, tt.want, r.ledger.all())
		}
		if logged := strings.Contains(log.String(), "the gate has decided nothing"); logged != tt.logged {
			t.Errorf("%+v: logged %s", tt.verdict, &log)
		}
		if tt.logged {
			if again := resume(pending); again.Err == nil || r.ledger.all() != nil {
				t.Errorf("%+v: resumed it is %+v", tt.verdict, again)
			}
		}
	}
}
