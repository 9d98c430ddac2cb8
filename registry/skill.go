package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
)

// DefaultTimeout is how long a call may take whose skill does not say otherwise.
const DefaultTimeout = 30 * time.Second

// MaxNameLength bounds a skill's name, so that a client may put its own prefix before it and still
// stay within what model APIs accept.
const MaxNameLength = 48

// Spec declares a skill: its metadata, its input and output as plain structs, and its handler.
//
// In and Out are JSON objects on the wire: structs, maps, an [Object]. They use three struct tags, one job each: `json` names a
// field, `validate` limits it, `jsonschema` and `jsonschema_description` explain it. A field without omitempty and without a
// default is required. The same limits are in the schema and enforced on calls.
type Spec[In, Out any] struct {
	Name        string // dotted: "scene.createEntity"
	Version     string // semantic version; default "1.0.0"
	Title       string // for people; default the name
	Description string // for models: what it does, when to use it, an example
	Category    string // default the part of the name before its first dot
	Keywords    string // what else it is called, with spaces between: a search finds it by these too, nobody is shown them

	// Sets are names, with spaces between, of what the skill sets of an entity, as others' inputs may call it: "rotation", "tag". Who
	// gives such a field to a skill that makes or changes entities and has none of that name is told of this skill.
	Sets string

	// Less says how to ask for less where the answer grows with the world: "name a smaller area". Who asks for more than
	// [MaxOutput] is told it.
	Less string

	// App is the URI of a resource, ui://…, that a standard client which knows MCP Apps shows a person beside the answer: "" for none.
	App string

	Core      bool // listed by skills.list in mode "bootstrap"
	Published bool // in the short list that a standard MCP client gets

	// Permissions are all needed. One that needs none says profiles.Anyone.
	Permissions []profiles.Permission
	Effect      Effect
	Idempotent  bool // calling again with the same input changes nothing more

	// Attaches says that calls may attach content to their answers, by [Call.Attach] or by a call
	// inside them. Standard MCP clients are then shown no output schema, and where content is attached
	// they get the output as text only: some show nothing else where there is structured content.
	Attaches bool

	// Outward says that the skill does something that no transaction takes back: it writes a file,
	// or runs a call of somebody else's. It cannot be tried out, nor be one of several operations
	// that are all or nothing.
	Outward bool

	// Unreviewed says that nobody has to look at a call before it runs, though it claims more than Reads: it only carries out other
	// calls, each of which is judged, or nothing of it is seen by others. A [Gate] that holds calls for review lets it pass.
	Unreviewed bool

	// Slow has calls run on a goroutine of their own, so that a cancellation is seen while they run. A call that has written keeps everybody
	// else from the world until it ends: so a slow one works first, and writes when all that takes long is done. Where a transaction is open that
	// is somebody else's they are refused ([Registry.InvokeIn]), unless they are Short there: the handler asks [Call.Lent], and refuses what would take long.
	Slow    bool
	Short   bool
	Detach  Detach        // when a Slow call goes on without the request that made it
	Timeout time.Duration // default [DefaultTimeout]; negative for none

	// Find says, of a skill that finds others, which of those that may lets pass a few words mean, best first. The refusal of
	// a call that names no skill suggests what it finds for the words of that name; of several such skills the first one's.
	Find func(r *Registry, words string, may func(Skill) bool) []Skill

	// Rules know what Limina does not of what `validate` tags say; nil: nothing, and such a rule is a
	// mistake. Package registry/rules has those of validator/v10.
	Rules Rules

	// Handle does the work. It may run concurrently with itself. What it returns as an error that
	// is no [*Error] stays in the log; a panic is such an error too.
	Handle func(c *Call, in In) (Out, error)
}

// Info is a skill's metadata.
type Info struct {
	Name        string
	Version     string
	Title       string
	Description string
	Category    string
	Keywords    string
	Sets        string
	Less        string
	App         string
	Core        bool
	Published   bool
	Idempotent  bool
	Slow        bool
	Short       bool // though Slow: where everybody would wait for it
	Outward     bool // does what no transaction takes back
	Unreviewed  bool // see [Info.Changes]
	Attaches    bool
	Detach      Detach
	Permissions []profiles.Permission // declared order, without profiles.Anyone
	Effect      Effect
}

// Changes reports whether a call may change what others see, so that a review has something to look at: the skill claims more than Reads, and is not
// Unreviewed.
func (i *Info) Changes() bool { return i.Effect != Reads && !i.Unreviewed }

// Skill is a declared skill, ready to be registered. It is immutable; the zero Skill is none.
type Skill struct{ s *skill }

type skill struct {
	info     Info
	wire     string // published name: no dots
	head     string // how the payload of every event of its calls begins, up to the intent
	need     profiles.Need
	timeout  time.Duration                                     // negative for none
	find     func(*Registry, string, func(Skill) bool) []Skill // nil of a skill that finds none
	offer    bool                                              // it is a resource's or a prompt's, and has no name in the registry
	counters atomic.Pointer[counters]                          // nil until it is called

	frames sync.Pool // of frame

	types      types // the zero types of a raw skill
	rules      Rules
	compiling  sync.Once
	compiledTo *plans // on first use

	rawFrame  func() frame
	rawInput  json.RawMessage // the schemas
	rawOutput json.RawMessage
}

// frame holds the input and output of one call of one skill, and is reused by later ones.
type frame interface {
	decode(input []byte) error
	read(text []byte, at int) (end int) // decode of what stands at text[at:], or negative
	handle(c *Call) error
	checkOutput() error
	appendOutput(dst []byte) ([]byte, error) // of an output that was checked
	clear()
}

// frame returns a frame for a call. It panics if there is a mistake in the skill's structs.
func (s *skill) frame() frame {
	if f, ok := s.frames.Get().(frame); ok {
		return f
	}
	if s.raw() {
		return s.rawFrame()
	}
	p, in, out := s.plans(), newOf(s.types.in), newOf(s.types.out)
	return &typedFrame{
		in: in.Interface(), out: out.Interface(), input: in.Elem(), output: out.Elem(),
		types: &s.types, inPlan: p.in, outPlan: p.out,
	}
}

// newOf makes what ptr would point to.
func newOf(ptr any) reflect.Value { return reflect.New(reflect.TypeOf(ptr).Elem()) }

// release gives a frame back; there is none if the skill could not be compiled.
func (s *skill) release(f frame) {
	if f != nil {
		f.clear()
		s.frames.Put(f)
	}
}

// Rules check values by rules of `validate` tags that Limina does not know itself.
type Rules = wire.Rules

// Define declares a skill. It panics, naming the skill, if the metadata is wrong.
//
// What the structs say is compiled on the first call, or when a schema is first asked for: a
// catalogue of hundreds starts several times faster that way. A mistake there, a tag that does not
// parse, a field that JSON cannot carry or a type that is no JSON object, panics only then. So a test of every skill has to ask for
// it: by [Skill.Check], or [Registry.Check] for all of them.
func Define[In, Out any](spec Spec[In, Out]) Skill {
	return define(bare(&spec), spec.Handle != nil, typesOf(spec.Handle))
}

// define is Define with what depends on the types of input and output aside. For each pair of types the compiler makes a Define, which a start
// goes through: so there is little in it.
func define(spec *Spec[struct{}, struct{}], handled bool, t types) Skill {
	s, err := newSkill(Info{
		Name: spec.Name, Version: spec.Version, Title: spec.Title, Description: spec.Description,
		Category: spec.Category, Keywords: spec.Keywords, Sets: spec.Sets, Less: spec.Less, App: spec.App, Core: spec.Core, Published: spec.Published, Idempotent: spec.Idempotent,
		Slow: spec.Slow, Short: spec.Short, Outward: spec.Outward, Unreviewed: spec.Unreviewed, Detach: spec.Detach, Attaches: spec.Attaches, Permissions: spec.Permissions, Effect: spec.Effect,
	}, spec.Timeout)
	if err != nil {
		panic("registry: " + err.Error())
	}
	if !handled {
		panic(fmt.Sprintf("registry: skill %s has no Handle", spec.Name))
	}
	s.find = spec.Find
	return typed(s, spec.Rules, t)
}

// bare is a Spec as one of other types, for all but its Handle. They lie in memory alike: what depends on the types is one function, and
// those are all of one size.
func bare[In, Out any](spec *Spec[In, Out]) *Spec[struct{}, struct{}] {
	return (*Spec[struct{}, struct{}])(unsafe.Pointer(spec))
}

// types is what a skill has of Go types: a nil pointer to its input and one to its output, and its handler.
type types struct {
	in, out, handler any
	run              func(handler any, c *Call, in, out any) error // in and out are such pointers, to what is there
}

func typesOf[In, Out any](handle func(*Call, In) (Out, error)) types {
	return types{(*In)(nil), (*Out)(nil), handle, run[In, Out]}
}

func run[In, Out any](handler any, c *Call, in, out any) (err error) {
	to := out.(*Out)
	*to, err = handler.(func(*Call, In) (Out, error))(c, *in.(*In))
	return err
}

// typed completes a skill that has an input and an output of Go types.
func typed(s *skill, rules Rules, t types) Skill {
	s.types, s.rules = t, rules
	return Skill{s}
}

// plans are how a skill's input and output are read, checked and written.
type plans struct {
	in, out *wire.Plan
	err     error // a mistake in the declaration: there are no plans
}

func compile(t types, more Rules) *plans {
	in, err := objectPlan(t.in, more)
	if err != nil {
		return &plans{err: fmt.Errorf("input: %w", err)}
	}
	out, err := objectPlan(t.out, more)
	if err != nil {
		return &plans{err: fmt.Errorf("output: %w", err)}
	}
	return &plans{in: in, out: out}
}

// objectPlan is the plan of what a tool takes or gives, which ptr points to. MCP has objects only; of a list of tools in which one schema is another,
// clients read nothing.
func objectPlan(ptr any, more Rules) (*wire.Plan, error) {
	t := reflect.TypeOf(ptr).Elem()
	p, err := wire.Compile(t, more)
	if err == nil && !p.Object() {
		err = fmt.Errorf("%v is no JSON object, as the input and the output of a skill have to be: make it a field of a struct", t)
	}
	return p, err
}

// raw reports whether the skill has no Go types, and so no plans.
func (s *skill) raw() bool { return s.types.run == nil }

// compiled returns the plans of a typed skill, or what is wrong with its structs.
func (s *skill) compiled() *plans {
	s.compiling.Do(func() {
		defer func() {
			if p := recover(); p != nil { // in Rules of somebody else's; it is said to everybody who asks
				s.compiledTo = &plans{err: fmt.Errorf("panic: %v", p)}
			}
		}()
		s.compiledTo = compile(s.types, s.rules)
	})
	return s.compiledTo
}

// check returns the mistake in a skill's structs, nil if there is none.
func (s *skill) check() error {
	if s.raw() {
		return nil
	}
	if err := s.compiled().err; err != nil {
		return fmt.Errorf("skill %s: %w", s.info.Name, err)
	}
	return nil
}

// plans returns the plans of a typed skill. It panics if there is a mistake in its structs.
func (s *skill) plans() *plans {
	if err := s.check(); err != nil {
		panic("registry: " + err.Error())
	}
	return s.compiled()
}

// Check returns the mistake in the skill's structs, nil if there is none: for tests, see [Define].
func (k Skill) Check() error {
	if k.s == nil {
		return nil
	}
	return k.s.check()
}

// Check returns the mistakes in the structs of all skills: for tests, see [Define].
func (r *Registry) Check() error {
	var errs []error
	for _, k := range r.set.Load().order {
		errs = append(errs, k.Check())
	}
	return errors.Join(errs...)
}

// Default returns an In with its declared defaults set, for typed calls. It panics where
// [Skill.Check] of a skill with that input gives an error.
func Default[In any]() In {
	var in In
	wire.Default(&in)
	return in
}

// newSkill checks the metadata and fills in its defaults.
func newSkill(info Info, timeout time.Duration) (*skill, error) {
	switch {
	case !isName(info.Name):
		return nil, fmt.Errorf("skill name %q: want words of [a-zA-Z0-9_-] with dots between", info.Name)
	case len(info.Name) > MaxNameLength:
		return nil, fmt.Errorf("skill name %q: want at most %d characters", info.Name, MaxNameLength)
	case strings.TrimSpace(info.Description) == "":
		return nil, fmt.Errorf("skill %s has no description", info.Name)
	case len(info.Permissions) == 0:
		return nil, fmt.Errorf("skill %s names no permission: say profiles.Anyone if it needs none", info.Name)
	case info.Effect > Reads:
		return nil, fmt.Errorf("skill %s has an unknown effect", info.Name)
	}
	for _, p := range info.Permissions {
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("skill %s: %w", info.Name, err)
		}
	}
	if info.Version == "" {
		info.Version = "1.0.0"
	}
	if !isVersion(info.Version) {
		return nil, fmt.Errorf("skill %s: version %q is not of the form 1.2.3", info.Name, info.Version)
	}
	if info.Title == "" {
		info.Title = info.Name
	}
	if info.Category == "" {
		info.Category, _, _ = strings.Cut(info.Name, ".")
	}
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	need := profiles.Require(info.Permissions...)
	info.Permissions = need.Permissions()
	return &skill{
		info: info, wire: strings.ReplaceAll(info.Name, ".", "_"), head: `{"skill":"` + info.Name + `","version":"` + info.Version + `","intent":`, // neither can need escapes
		need: need, timeout: timeout,
	}, nil
}

// Info returns the skill's metadata, the zero Info of the zero Skill; its slices are shared and not to
// be changed.
func (k Skill) Info() Info {
	if k.s == nil {
		return Info{}
	}
	return k.s.info
}

// Name returns the dotted name, "" for the zero Skill.
func (k Skill) Name() string {
	if k.s == nil {
		return ""
	}
	return k.s.info.Name
}

// WireName returns the name that is published to standard MCP clients: dots become underscores.
func (k Skill) WireName() string {
	if k.s == nil {
		return ""
	}
	return k.s.wire
}

// Slow reports whether calls of the skill want a goroutine of their own.
func (k Skill) Slow() bool { return k.s != nil && k.s.info.Slow }

// Allowed reports whether grants suffice for the skill; for the zero Skill none do.
func (k Skill) Allowed(g profiles.Grants) bool {
	if k.s == nil {
		return false
	}
	_, missing := g.Missing(k.s.need)
	return !missing
}

// Lacks returns the first permission that a call needs and g does not hold, and false if it holds all.
func (k Skill) Lacks(g profiles.Grants) (p profiles.Permission, lacks bool) {
	if k.s == nil {
		return "", true
	}
	return g.Missing(k.s.need)
}

// InputSchema returns the JSON Schema of the input, without $schema; the zero Skill has none. It is
// made on first use, then shared: not to be changed.
func (k Skill) InputSchema() json.RawMessage {
	if k.s == nil {
		return nil
	}
	if k.s.raw() {
		return k.s.rawInput
	}
	return k.s.plans().in.SchemaJSON()
}

// OutputSchema returns the JSON Schema of the output, as InputSchema does; nil if a raw skill has none.
func (k Skill) OutputSchema() json.RawMessage {
	if k.s == nil {
		return nil
	}
	if k.s.raw() {
		return k.s.rawOutput
	}
	return k.s.plans().out.SchemaJSON()
}

// typedFrame is the frame of a skill made by [Define].
type typedFrame struct {
	in, out         any           // pointers to an In and an Out
	input, output   reflect.Value // what they point to
	types           *types
	inPlan, outPlan *wire.Plan
}

func (f *typedFrame) decode(input []byte) error { return f.inPlan.Decode(input, f.in) }

func (f *typedFrame) read(text []byte, at int) (end int) { return f.inPlan.Read(text, at, f.in) }

func (f *typedFrame) appendInput(dst []byte) ([]byte, error) { return f.inPlan.AppendGiven(dst, f.in) }

func (f *typedFrame) handle(c *Call) error { return f.types.run(f.types.handler, c, f.in, f.out) }

func (f *typedFrame) checkOutput() error { return f.outPlan.Check(f.out) }

func (f *typedFrame) appendOutput(dst []byte) ([]byte, error) { return f.outPlan.Append(dst, f.out) }

func (f *typedFrame) clear() {
	f.input.SetZero()
	f.output.SetZero()
}

// sortedNames returns the names of skills in alphabetical order.
func sortedNames(skills []Skill) []string {
	names := make([]string, len(skills))
	for i, k := range skills {
		names[i] = k.Name()
	}
	slices.Sort(names)
	return names
}
