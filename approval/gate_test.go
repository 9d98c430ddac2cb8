package approval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

type noteIn struct {
	Text string `json:"text"`
}

type noteOut struct {
	By string `json:"by"`
}

// fixture is a registry with a gate, and a skill of every need.
type fixture struct {
	gate  *approval.Gate
	reg   *registry.Registry
	notes atomic.Int64 // how often a skill has run
}

func newFixture(tb testing.TB, o approval.Options) *fixture {
	tb.Helper()
	f := &fixture{gate: approval.NewGate(o)}
	f.reg = registry.New(registry.Options{Gate: f.gate, Tick: func() uint64 { return 41 }})
	type kind struct {
		needs      profiles.Permission
		effect     registry.Effect
		unreviewed bool
	}
	for name, of := range map[string]kind{
		"note.write": {"scene.write", registry.Writes, false}, "note.odd": {"shop.open", registry.Anything, false}, "note.burn": {profiles.Anyone, registry.Destroys, false},
		"note.read": {"scene.read", registry.Reads, false}, "note.trace": {"trace.read", registry.Reads, false}, "note.silent": {"scene.read", registry.Anything, false},
		"note.forward": {profiles.Anyone, registry.Anything, true},
	} {
		if err := f.reg.Register(registry.Define(registry.Spec[noteIn, noteOut]{
			Name: name, Description: "Take a note.", Permissions: []profiles.Permission{of.needs}, Effect: of.effect, Unreviewed: of.unreviewed,
			Handle: func(c *registry.Call, in noteIn) (noteOut, error) {
				if in.Text == "fail" {
					return noteOut{}, registry.Failf("the pen is dry")
				}
				f.notes.Add(1)
				return noteOut{By: c.Principal().ID}, nil
			},
		})); err != nil {
			tb.Fatal(err)
		}
	}
	return f
}

func (f *fixture) call(p *profiles.Principal, skill, text string) registry.Result {
	return f.reg.Invoke(context.Background(), &registry.Request{
		Name: skill, Input: fmt.Appendf(nil, `{"text":%q}`, text), Principal: p,
	}, nil)
}

var everything = profiles.Grant("scene.read", "scene.write", "ecs.read", "physics.read", "agent.read", "terrain.read", "trace.read", "shop.open")

func builder(profile string) *profiles.Principal {
	return &profiles.Principal{ID: "bob", Session: "s1", Profile: profile, Grants: everything}
}

func reviewer() *profiles.Principal {
	return &profiles.Principal{ID: "rita", Session: "s2", Profile: "reviewer"}
}

func code(res registry.Result) string {
	if res.Err == nil {
		return "ok"
	}
	return string(res.Err.Code) + ": " + res.Err.Message
}

func TestWhoseCallsAreHeld(t *testing.T) {
	tests := []struct {
		profile, skill string
		held           bool
	}{
		{"builder.review", "note.write", true},
		{"builder.review", "note.odd", true},
		{"builder.review", "note.burn", true},
		{"builder.review", "note.silent", true},
		{"builder.review", "note.read", false},
		{"builder.review", "note.trace", false},
		{"builder.review", "note.forward", false},
		{"other", "note.write", true},
		{"builder.readWrite", "note.write", false},
		{"", "note.write", false},
	}
	for _, tt := range tests {
		f := newFixture(t, approval.Options{Profiles: []string{"builder.review", "other"}})
		res := f.call(builder(tt.profile), tt.skill, "a")
		want := "ok"
		if tt.held {
			want = "pending_approval: apr_1"
		}
		if got := code(res); got != want {
			t.Errorf("%s of %q: got %s, want %s", tt.skill, tt.profile, got, want)
		}
		if got := len(f.gate.List()) == 1; got != tt.held {
			t.Errorf("%s of %q: the gate holds %v", tt.skill, tt.profile, f.gate.List())
		}
	}
	f := newFixture(t, approval.Options{}) // nobody is under review
	if got := code(f.call(builder(""), "note.write", "a")); got != "ok" {
		t.Errorf("got %s", got)
	}
}

func TestBadCallsAreNotHeld(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	f.reg.Invoke(context.Background(), &registry.Request{Name: "note.write", Input: []byte(`{}`), Principal: builder("p")}, nil)
	nobody := builder("p")
	nobody.Grants = profiles.Grants{}
	f.call(nobody, "note.write", "a")
	if got := f.gate.List(); len(got) != 0 {
		t.Errorf("the gate holds %v", got)
	}
}

func TestList(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	f.call(builder("p"), "note.write", "a")
	f.call(builder("p"), "note.odd", "b")
	want := []approval.Held{
		{ID: "apr_1", Skill: "note.write", Principal: *builder("p"), Tick: 41, Input: []byte(`{"text":"a"}`)},
		{ID: "apr_2", Skill: "note.odd", Principal: *builder("p"), Tick: 41, Input: []byte(`{"text":"b"}`)},
	}
	if diff := cmp.Diff(want, f.gate.List(), cmp.Comparer(func(a, b profiles.Grants) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGrant(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	f.call(builder("p"), "note.write", "a")
	f.call(builder("p"), "note.write", "fail")
	if f.notes.Load() != 0 {
		t.Fatal("a held call has run")
	}
	held, res, err := f.gate.Grant(t.Context(), "apr_1", reviewer())
	if err != nil || code(res) != "ok" || string(res.Output) != `{"by":"bob"}` || held.ID != "apr_1" || f.notes.Load() != 1 {
		t.Errorf("Grant: %+v, %s %s, %v", held, code(res), res.Output, err)
	}
	_, _, err = f.gate.Grant(t.Context(), "apr_1", reviewer())
	if want := `approvalId: no call is held as "apr_1"; held are apr_2`; err == nil || err.Error() != want {
		t.Errorf("the second time: got %v, want %s", err, want)
	}
	_, res, err = f.gate.Grant(t.Context(), "apr_2", reviewer())
	if err != nil || code(res) != "handler_error: the pen is dry" {
		t.Errorf("Grant: %s, %v", code(res), err)
	}
	if len(f.gate.List()) != 0 { // a call that failed is not held again
		t.Errorf("the gate holds %v", f.gate.List())
	}
	events, _ := f.reg.Trace().Tail(trace.Filter{})
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprint(e.Type, e.CausedBy))
	}
	if diff := cmp.Diff([]string{"approval.held[]", "approval.held[]", "skill.executed[evt_0]", "skill.failed[evt_1]"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestNobodyGrantsHisOwn(t *testing.T) {
	tests := []struct {
		name     string
		held, by profiles.Principal
		own      bool
	}{
		{"himself", profiles.Principal{ID: "bob", Session: "s1"}, profiles.Principal{ID: "bob", Session: "s1"}, true},
		{"himself, elsewhere", profiles.Principal{ID: "bob", Session: "s1"}, profiles.Principal{ID: "bob", Session: "s2"}, true},
		{"his session, under another name", profiles.Principal{ID: "bob", Session: "s1"}, profiles.Principal{ID: "rita", Session: "s1"}, true},
		{"nobody, twice", profiles.Principal{}, profiles.Principal{}, true},
		{"another", profiles.Principal{ID: "bob", Session: "s1"}, profiles.Principal{ID: "rita", Session: "s2"}, false},
		{"a name of the same token", profiles.Principal{ID: "fleet-1", Holder: "fleet-*", Session: "s1"}, profiles.Principal{ID: "fleet-2", Holder: "fleet-*", Session: "s2"}, true},
		{"a name of another token", profiles.Principal{ID: "fleet-1", Holder: "fleet-*", Session: "s1"}, profiles.Principal{ID: "crew-2", Holder: "crew-*", Session: "s2"}, false},
		{"another, both without a session", profiles.Principal{ID: "bob"}, profiles.Principal{ID: "rita"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, approval.Options{Profiles: []string{"p"}})
			tt.held.Profile, tt.held.Grants = "p", everything
			f.call(&tt.held, "note.write", "a")
			_, _, err := f.gate.Grant(t.Context(), "apr_1", &tt.by)
			var e *registry.Error
			if own := errors.As(err, &e) && e.Code == registry.CodeForbidden; own != tt.own {
				t.Errorf("Grant: %v", err)
			}
			if got := len(f.gate.List()) == 1; got != tt.own {
				t.Errorf("the gate holds %v", f.gate.List())
			}
		})
	}
}

func TestDeny(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	f.call(builder("p"), "note.write", "a")
	held, err := f.gate.Deny("apr_1")
	if err != nil || held.Skill != "note.write" || len(f.gate.List()) != 0 || f.notes.Load() != 0 {
		t.Errorf("Deny: %+v, %v; the gate holds %v", held, err, f.gate.List())
	}
	_, err = f.gate.Deny("apr_1")
	if want := `approvalId: no call is held as "apr_1"; nothing is held`; err == nil || err.Error() != want {
		t.Errorf("the second time: got %v, want %s", err, want)
	}
}

func TestUnknownIDNamesAFew(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	for range 20 {
		f.call(builder("p"), "note.write", "a")
	}
	_, err := f.gate.Deny("apr_99")
	if want := `held are apr_1, apr_2, apr_3, apr_4, apr_5, apr_6, apr_7, apr_8`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want … %s", err, want)
	}
}

// TestJudgeBehindAnotherGate: a gate that another one asks, which does not say whose calls concern it, still holds only those
// under review.
func TestJudgeBehindAnotherGate(t *testing.T) {
	gate := approval.NewGate(approval.Options{Profiles: []string{"p"}})
	write := registry.Info{Name: "note.write", Permissions: []profiles.Permission{"scene.write"}}
	read := registry.Info{Name: "note.read", Permissions: []profiles.Permission{"scene.read"}, Effect: registry.Reads}
	for _, tt := range []struct {
		skill registry.Info
		as    string
		want  registry.Decision
	}{{write, "p", registry.Hold}, {write, "q", registry.Allow}, {read, "p", registry.Allow}} {
		got := gate.Judge(&registry.Pending{Skill: tt.skill, Principal: *builder(tt.as)})
		if got.Decision != tt.want {
			t.Errorf("%s as %s: %+v, want %v", tt.skill.Name, tt.as, got, tt.want)
		}
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name    string
		options approval.Options
		texts   []string // all but the last are held
		want    string   // of the last
	}{
		{"calls", approval.Options{Limit: 2}, []string{"a", "b", "c"}, "capacity_exceeded: approval queue: 2 calls are held already, which is its limit"},
		{"one call", approval.Options{Limit: 1}, []string{"a", "b"}, "capacity_exceeded: approval queue: 1 calls are held already, which is its limit"},
		{
			"bytes",
			approval.Options{Bytes: 42}, // two of {"text":"aaaaaaaaaa"}
			[]string{"aaaaaaaaaa", "bbbbbbbbbb", ""},
			"capacity_exceeded: approval queue: the inputs of the calls that are held may have 42 bytes together",
		},
		{"as many bytes", approval.Options{Bytes: 42}, []string{"aaaaaaaaaa", "bbbbbbbbbb"}, "pending_approval: apr_2"},
		{
			"a byte more",
			approval.Options{Bytes: 42},
			[]string{"aaaaaaaaaa", "bbbbbbbbbbb"},
			"capacity_exceeded: approval queue: the inputs of the calls that are held may have 42 bytes together",
		},
		{"neither", approval.Options{}, []string{"a", "b", "c"}, "pending_approval: apr_3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Profiles = []string{"p"}
			f := newFixture(t, tt.options)
			got := ""
			for n, text := range tt.texts {
				got = code(f.call(caller(n), "note.write", text))
			}
			if got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			for _, h := range f.gate.List() { // room is made again
				if _, err := f.gate.Deny(h.ID); err != nil {
					t.Fatal(err)
				}
			}
			for n, text := range tt.texts[:len(tt.texts)-1] {
				if got := code(f.call(caller(n), "note.write", text)); !strings.HasPrefix(got, "pending_approval") {
					t.Errorf("after all were denied: got %s", got)
				}
			}
		})
	}
}

// caller is one of many whose calls are held.
func caller(n int) *profiles.Principal {
	p := builder("p")
	p.ID = fmt.Sprint("caller ", n)
	return p
}

// What one caller has held does not keep the calls of others out, whether by their number or by what they hold.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		options approval.Options
		text    string
		held    int
		want    string
	}{
		{approval.Options{}, "a", approval.DefaultLimit / 4, "capacity_exceeded: approval queue: 64 of your calls are held already, which is the most for one caller, a quarter of what all others leave: a reviewer has to decide on them"},
		{approval.Options{Limit: 20}, "a", 5, "capacity_exceeded: approval queue: 5 of your calls are held already, which is the most for one caller, a quarter of what all others leave: a reviewer has to decide on them"},
		{approval.Options{Bytes: 1 << 20}, strings.Repeat("a", 64<<10-len(`{"text":""}`)), 4, "capacity_exceeded: approval queue: the inputs of your calls that are held may have 262144 bytes together, a quarter of what all others leave"},
	} {
		c.options.Profiles = []string{"p"}
		f := newFixture(t, c.options)
		for n := range c.held {
			if got := code(f.call(caller(0), "note.write", c.text)); !strings.HasPrefix(got, "pending_approval") {
				t.Fatalf("call %d: %s", n, got)
			}
		}
		if got := code(f.call(caller(0), "note.write", c.text)); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
		if got := code(f.call(caller(1), "note.write", c.text)); !strings.HasPrefix(got, "pending_approval") {
			t.Errorf("another caller: %s", got)
		}
	}
}

// Nor does he by taking other names, if his token is for many.
func TestSharesOfManyNames(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"p"}})
	fleet := func(n int) *profiles.Principal {
		p := caller(n)
		p.ID, p.Holder = fmt.Sprint("fleet-", n), "fleet-*"
		return p
	}
	for n := range approval.DefaultLimit {
		f.call(fleet(n), "note.write", "a")
	}
	if got, want := len(f.gate.List()), approval.DefaultLimit/4; got != want {
		t.Errorf("%d calls are held, want %d", got, want)
	}
	if got := code(f.call(caller(1), "note.write", "a")); !strings.HasPrefix(got, "pending_approval") {
		t.Errorf("another caller: %s", got)
	}
}

// Nor do those who fill the queue together, one after the other or by turns: whoever comes then has room, and the more so the fewer they are.
func TestSharesOfSome(t *testing.T) {
	long := strings.Repeat("a", 100<<10)
	for _, tt := range []struct {
		name           string
		greedy         int
		text           string
		byTurns        bool
		others, atMost int // callers who still have a call held, and how many the greedy have together
	}{
		{"four", 4, "a", false, 30, 180},
		{"four by turns", 4, "a", true, 30, 180},
		{"twelve", 12, "a", false, 6, 250},
		{"four with long inputs", 4, long, false, 15, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, approval.Options{Profiles: []string{"p"}})
			each := approval.DefaultLimit/4 + 1 // more than one alone may have
			if tt.text == long {
				each = approval.DefaultBytes/4/len(long) + 1
			}
			for n := range each * tt.greedy {
				who := n / each
				if tt.byTurns {
					who = n % tt.greedy
				}
				f.call(caller(who), "note.write", tt.text)
			}
			if got := len(f.gate.List()); got > tt.atMost {
				t.Errorf("the greedy have %d calls held", got)
			}
			for n := range tt.others {
				if got := code(f.call(caller(100+n), "note.write", tt.text[:min(len(tt.text), 50<<10)])); !strings.HasPrefix(got, "pending_approval") {
					t.Fatalf("the %d. who comes then: %s", n+1, got)
				}
			}
		})
	}
}

// TestAllAtOnce holds, lists, grants and denies from many goroutines: every call is decided exactly
// once. Run it with -race.
func TestAllAtOnce(t *testing.T) {
	const callers, each = 4, 50
	const calls = callers * each
	// Room for all of them, whoever comes late: one alone may have a quarter of what the others leave.
	f := newFixture(t, approval.Options{Profiles: []string{"p"}, Limit: 4*each + calls})
	var granted, denied atomic.Int64
	var calling atomic.Int64
	calling.Store(callers)
	var wg sync.WaitGroup
	for i := range callers {
		caller := builder("p")
		caller.ID = fmt.Sprint("caller ", i)
		wg.Go(func() {
			defer calling.Add(-1)
			for range each {
				if got := code(f.call(caller, "note.write", "a")); !strings.HasPrefix(got, "pending_approval") {
					t.Errorf("%s: %s", caller.ID, got)
				}
			}
		})
		wg.Go(func() {
			for {
				last := calling.Load() == 0 // then what is listed now is all there will be
				list := f.gate.List()
				for _, h := range list {
					if i%2 == 0 {
						if _, res, err := f.gate.Grant(context.Background(), h.ID, reviewer()); err == nil {
							granted.Add(1)
							if res.Err != nil {
								t.Error(res.Err)
							}
						}
					} else if _, err := f.gate.Deny(h.ID); err == nil {
						denied.Add(1)
					}
				}
				if last {
					return
				}
			}
		})
	}
	wg.Wait()
	if f.notes.Load() != granted.Load() || granted.Load()+denied.Load() != calls || len(f.gate.List()) != 0 {
		t.Errorf("%d ran, %d were granted and %d denied of %d; %d are held", f.notes.Load(), granted.Load(), denied.Load(), calls, len(f.gate.List()))
	}
}

// TestNobody asks about calls of nobody: they have no permissions and no profile, so no review waits for them, and the pipeline refuses them.
func TestNobody(t *testing.T) {
	f := newFixture(t, approval.Options{Profiles: []string{"builder.review"}})
	for _, k := range f.reg.List(registry.Filter{}) {
		info := k.Info()
		if f.gate.Concerns(&info, nil) || f.reg.Judges(k, nil) {
			t.Errorf("%s by nobody is held", k.Name())
		}
		if !f.gate.Concerns(&info, &profiles.Principal{Profile: "builder.review"}) && k.Name() == "note.write" {
			t.Errorf("%s by who is under review is not held", k.Name())
		}
	}
}
