package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// rig is a registry with a ledger in the place of a world.
type rig struct {
	t      testing.TB
	reg    *registry.Registry
	log    *trace.Log
	ledger *ledger
}

// newRig returns a rig with the skills of [rigSkills]. o.Trace may be nil.
func newRig(tb testing.TB, o registry.Options, more ...registry.Skill) *rig {
	tb.Helper()
	if o.Trace == nil {
		o.Trace = trace.New(trace.Options{})
	}
	l := &ledger{}
	if o.Tick == nil {
		o.Tick = l.tick
	}
	r := &rig{t: tb, reg: registry.New(o), log: o.Trace, ledger: l}
	if err := r.reg.Register(append(rigSkills(l), more...)...); err != nil {
		tb.Fatal(err)
	}
	return r
}

// writer may do everything that the rig's skills need.
func writer() *profiles.Principal {
	return &profiles.Principal{
		Kind: profiles.KindAgent, ID: "mason", Session: "s1", Profile: "test", Grants: profiles.Grant("scene.read", "scene.write"),
	}
}

// reader may not write.
func reader() *profiles.Principal {
	p := writer()
	p.Grants = profiles.Grant("scene.read")
	return p
}

// call invokes a skill as p.
func (r *rig) call(p *profiles.Principal, name, input string) registry.Result {
	r.t.Helper()
	return r.reg.Invoke(r.t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
}

// must invokes a skill as the writer and returns its output.
func (r *rig) must(name, input string) string {
	r.t.Helper()
	res := r.call(writer(), name, input)
	if res.Err != nil {
		r.t.Fatalf("%s %s: %v", name, input, res.Err)
	}
	return string(res.Output)
}

// events returns everything in the log.
func (r *rig) events() []trace.Event {
	events, _ := r.log.Tail(trace.Filter{Limit: 10_000})
	return events
}

// types returns the types of everything in the log.
func (r *rig) types() []string {
	var types []string
	for _, e := range r.events() {
		types = append(types, e.Type)
	}
	return types
}

// payload returns what an event says, as a map.
func (r *rig) payload(e trace.Event) map[string]any {
	r.t.Helper()
	var m map[string]any
	if err := json.Unmarshal(e.Payload, &m); err != nil {
		r.t.Fatalf("event %v has the payload %s: %v", e.ID, e.Payload, err)
	}
	return m
}

// ledger is state that is changed in transactions only.
type ledger struct {
	mu      sync.Mutex // held while a transaction is open
	commits int
	intents []uint64
	lines   []string
	open    []string // of the open transaction
	begun   bool
}

var _ registry.Transaction = (*ledger)(nil)

func (l *ledger) tick() uint64 { return 7 }

// write appends a line in the transaction of the call.
func (l *ledger) write(c *registry.Call, line string) {
	if c.Transaction() == nil {
		l.mu.Lock()
		l.begun, l.open = true, nil
		c.Begin(l)
	}
	l.open = append(l.open, line)
}

func (l *ledger) Savepoint() int      { return len(l.open) }
func (l *ledger) RollbackTo(mark int) { l.open = l.open[:mark] }
func (l *ledger) Rollback()           { l.end() }

func (l *ledger) Tick() uint64 {
	if len(l.open) == 0 {
		return 0
	}
	return uint64(l.commits + 1)
}

func (l *ledger) Commit(intent uint64) {
	if len(l.open) > 0 {
		l.commits++
		l.intents = append(l.intents, intent)
		l.lines = append(l.lines, l.open...)
	}
	l.end()
}

func (l *ledger) end() {
	if !l.begun {
		panic("a transaction is ended that is not open")
	}
	l.begun, l.open = false, nil
	l.mu.Unlock()
}

// all returns the lines that were committed.
func (l *ledger) all() []string {
	l.mu.Lock() // for ever, if a transaction was left open
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

type echoIn struct {
	Text string   `json:"text,omitempty" jsonschema:"default=hi"`
	N    int      `json:"n,omitempty" validate:"omitempty,gte=0,lte=10"`
	List []string `json:"list,omitempty"`
}

type echoOut struct {
	Text string   `json:"text"`
	N    int      `json:"n"`
	List []string `json:"list"`
}

type writeIn struct {
	Line  string `json:"line"`
	Then  string `json:"then,omitempty" validate:"omitempty,oneof=fail panic refuse break secret exhaust"`
	Emits int    `json:"emits,omitempty"`
}

type writeOut struct {
	Lines int `json:"lines" validate:"gte=0"`
}

type step struct {
	Name  string          `json:"name"`
	Input registry.Object `json:"input,omitempty"`
}

type seqIn struct {
	Steps []step `json:"steps"`
	Go    bool   `json:"go,omitempty"` // go on after a step that fails
	Then  string `json:"then,omitempty" validate:"omitempty,oneof=fail panic"`
}

type seqOut struct {
	Results []string `json:"results"`
}

// rigSkills are skills that do what their input says.
func rigSkills(l *ledger) []registry.Skill {
	return []registry.Skill{
		registry.Define(registry.Spec[echoIn, echoOut]{
			Name: "test.echo", Description: "Answer with the input.", Permissions: []profiles.Permission{profiles.Anyone},
			Effect: registry.Reads,
			Handle: func(_ *registry.Call, in echoIn) (echoOut, error) { return echoOut(in), nil },
		}),
		registry.Define(registry.Spec[writeIn, writeOut]{
			Name: "test.write", Description: "Write a line.", Permissions: []profiles.Permission{"scene.read", "scene.write"},
			Handle: func(c *registry.Call, in writeIn) (writeOut, error) { return write(l, c, in) },
		}),
		registry.Define(registry.Spec[seqIn, seqOut]{
			Name: "test.seq", Description: "Call skills in turn.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: sequence,
		}),
	}
}

func write(l *ledger, c *registry.Call, in writeIn) (writeOut, error) {
	l.write(c, in.Line)
	for range in.Emits {
		if err := c.Emit("test.wrote", map[string]string{"line": in.Line}); err != nil {
			return writeOut{}, err
		}
	}
	switch in.Then {
	case "fail":
		return writeOut{}, registry.Failf("line: %s is not liked", in.Line)
	case "panic":
		panic("the hand slips")
	case "refuse":
		return writeOut{}, registry.Errorf(registry.CodeForbidden, "not today")
	case "exhaust":
		return writeOut{}, registry.Errorf(registry.CodeCapacityExceeded, "the page is full")
	case "secret":
		return writeOut{}, errors.New("password 1234")
	case "break":
		return writeOut{Lines: -1}, nil
	}
	return writeOut{Lines: len(l.open)}, nil
}

func sequence(c *registry.Call, in seqIn) (seqOut, error) {
	var out seqOut
	for _, s := range in.Steps {
		got, err := c.Invoke(s.Name, s.Input)
		if err != nil && !in.Go {
			return seqOut{}, err
		}
		if err != nil {
			got = []byte(err.Error())
		}
		out.Results = append(out.Results, string(got))
	}
	switch in.Then {
	case "fail":
		return seqOut{}, registry.Failf("the sequence fails")
	case "panic":
		panic("the sequence panics")
	}
	return out, nil
}

// gate is a function as a [registry.Gate].
type gate func(*registry.Pending) registry.Verdict

func (g gate) Judge(p *registry.Pending) registry.Verdict { return g(p) }

// recorder is two functions as a [registry.Recorder].
type recorder struct {
	before func(*registry.Call, []byte) error
	after  func(registry.Outcome) error
}

func (r recorder) Record(c *registry.Call, input []byte) (func(registry.Outcome) error, error) {
	if r.before != nil {
		if err := r.before(c, input); err != nil {
			return nil, err
		}
	}
	return r.after, nil
}

// sink is a function as a [trace.Sink].
type sink func(lines []byte) error

func (s sink) Write(lines []byte, _ trace.ID) error { return s(lines) }

// text returns code and message of an error in one line.
func text(e *registry.Error) string {
	if e == nil {
		return "ok"
	}
	return string(e.Code) + ": " + e.Message
}

// resume runs a call that was held.
func resume(p *registry.Pending) registry.Result { return p.Resume(context.Background()) }

func contains(tb testing.TB, got, want string) {
	tb.Helper()
	if !strings.Contains(got, want) {
		tb.Errorf("got %q, want it to contain %q", got, want)
	}
}
