package registry_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// named is a skill that answers its own version.
func named(name, version string, needs ...profiles.Permission) registry.Skill {
	if len(needs) == 0 {
		needs = []profiles.Permission{profiles.Anyone}
	}
	type out struct {
		Version string `json:"version"`
	}
	return registry.Define(registry.Spec[struct{}, out]{
		Name: name, Version: version, Description: "A skill.", Permissions: needs,
		Core: strings.HasSuffix(name, "Core"), Published: strings.HasSuffix(name, "Shown"),
		Handle: func(*registry.Call, struct{}) (out, error) { return out{version}, nil },
	})
}

func names(skills []registry.Skill) string {
	var list []string
	for _, k := range skills {
		list = append(list, k.Name()+"@"+k.Info().Version)
	}
	return strings.Join(list, " ")
}

func TestSet(t *testing.T) {
	r := registry.New(registry.Options{})
	generation := r.Generation()
	told, toldToo := 0, 0
	stop := r.Watch(func() { told++ })
	stopToo := r.Watch(func() { toldToo++ })
	register := func(skills ...registry.Skill) func() error {
		return func() error { return r.Register(skills...) }
	}
	steps := []struct {
		what   string
		do     func() error
		err    string
		skills string
	}{
		{"register", register(named("a.b", "1.0.0"), named("c", "1.0.0")), "", "a.b@1.0.0 c@1.0.0"},
		{"register again", register(named("c", "2.0.0")), "register c: the name is taken by c", "a.b@1.0.0 c@1.0.0"},
		{
			"register what is published under the same name", register(named("a_b", "1.0.0")),
			"register a_b: the name is taken by a.b", "a.b@1.0.0 c@1.0.0",
		},
		{"register all or none", register(named("d", "1.0.0"), named("c", "2.0.0")), "register c: the name is taken by c", "a.b@1.0.0 c@1.0.0"},
		{"register one twice", register(named("d", "1.0.0"), named("d", "1.0.0")), "register d: the name is taken by d", "a.b@1.0.0 c@1.0.0"},
		{"register none", register(registry.Skill{}), "register: the zero Skill was given", "a.b@1.0.0 c@1.0.0"},
		{"replace", func() error { return r.Replace(named("a.b", "1.1.0")) }, "", "a.b@1.1.0 c@1.0.0"},
		{"replace what is not there", func() error { return r.Replace(named("d", "1.0.0")) }, "replace d: no such skill", "a.b@1.1.0 c@1.0.0"},
		{
			"replace by what is published under the same name", func() error { return r.Replace(named("a_b", "3.0.0")) },
			"replace a_b: no such skill", "a.b@1.1.0 c@1.0.0",
		},
		{"replace by none", func() error { return r.Replace(registry.Skill{}) }, "replace : no such skill", "a.b@1.1.0 c@1.0.0"},
		{"unregister by the published name", func() error { unregister(t, r, "a_b", true); return nil }, "", "c@1.0.0"},
		{"register what was unregistered", register(named("a_b", "4.0.0")), "", "c@1.0.0 a_b@4.0.0"},
	}
	changes := 0
	for _, s := range steps {
		got := ""
		if err := s.do(); err != nil {
			got = err.Error()
		}
		if got != s.err {
			t.Errorf("%s: got %q, want %q", s.what, got, s.err)
		}
		if got := names(r.List(registry.Filter{})); got != s.skills {
			t.Errorf("%s: skills are %s, want %s", s.what, got, s.skills)
		}
		if s.err == "" {
			changes++
		}
		if told != changes || toldToo != changes || (r.Generation() == generation) != (s.err != "") {
			t.Errorf("%s: told %d and %d times of %d changes; generation %d after %d", s.what, told, toldToo, changes, r.Generation(), generation)
		}
		generation = r.Generation()
	}
	unregister(t, r, "nobody", false)
	stop()
	unregister(t, r, "c", true)
	if told != changes || toldToo != changes+1 {
		t.Errorf("told %d and %d times of %d changes, of which one watch has not seen the last", told, toldToo, changes+1)
	}
	stopToo()
}

func unregister(t *testing.T, r *registry.Registry, name string, want bool) {
	t.Helper()
	if got := r.Unregister(name); got != want {
		t.Errorf("Unregister(%q) = %v", name, got)
	}
}

func TestLookup(t *testing.T) {
	r := registry.New(registry.Options{})
	if err := r.Register(named("a.b-c.d", "1.0.0")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.b-c.d": true, "a_b-c_d": true, "a.b-c_d": false, "A.b-c.d": false, "": false} {
		k, ok := r.Lookup(name)
		kb, okb := r.LookupBytes([]byte(name))
		if ok != want || okb != want || k != kb || ok && k.WireName() != "a_b-c_d" || !ok && k.Name() != "" {
			t.Errorf("Lookup(%q) = %v, %v and %v, %v", name, k.Name(), ok, kb.Name(), okb)
		}
	}
}

func TestFind(t *testing.T) {
	r := registry.New(registry.Options{})
	if err := r.Register(
		named("b.one", "1.0.0", "scene.read"), named("a.two", "1.0.0"), named("b.threeCore", "1.0.0", "scene.read", "scene.write"),
		named("b.fourShown", "1.0.0", "ui.write"),
	); err != nil {
		t.Fatal(err)
	}
	grants := func(ps ...profiles.Permission) *profiles.Grants {
		g := profiles.Grant(ps...)
		return &g
	}
	tests := []struct {
		f    registry.Filter
		want string
	}{
		{registry.Filter{}, "b.one a.two b.threeCore b.fourShown"},
		{registry.Filter{Grants: grants()}, "a.two"},
		{registry.Filter{Grants: grants("scene.read")}, "b.one a.two"},
		{registry.Filter{Grants: grants("scene.read", "scene.write")}, "b.one a.two b.threeCore"},
		{registry.Filter{Core: true}, "b.threeCore"},
		{registry.Filter{Published: true}, "b.fourShown"},
		{registry.Filter{Category: "b", Grants: grants("scene.read")}, "b.one"},
		{registry.Filter{Category: "c"}, ""},
	}
	for _, tt := range tests {
		if got := strings.ReplaceAll(names(r.List(tt.f)), "@1.0.0", ""); got != tt.want {
			t.Errorf("Find(%+v) = %s, want %s", tt.f, got, tt.want)
		}
	}
	near := map[string][]string{
		"a.tow": {"a.two"}, "b.onr": {"b.one"},
		"b.somethingElse": {"b.one", "b.threeCore", "b.fourShown"}, "b_somethingElse": {"b.one", "b.threeCore", "b.fourShown"},
		"shown.four": {"b.fourShown"}, "core_three_b": {"b.threeCore"}, "shown.five": nil,
		"c.threeCore": {"b.threeCore"}, "c_three_core": {"b.threeCore"}, "c.somethingElse": nil, "somethingElse": nil, ".": nil,
	}
	for name, want := range near {
		if diff := cmp.Diff(want, r.Near(name, nil)); diff != "" {
			t.Errorf("Near(%q) (-want +got):\n%s", name, diff)
		}
	}
}

// TestReplaceWhileRunning replaces a skill from inside a call of it: the call keeps what it began
// with, the next one gets the new one.
func TestReplaceWhileRunning(t *testing.T) {
	r := newRig(t, registry.Options{})
	type out struct {
		Version string `json:"version"`
	}
	if err := r.reg.Register(registry.Define(registry.Spec[struct{}, out]{
		Name: "test.self", Description: "Replace itself.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (out, error) {
			return out{"1.0.0"}, c.Registry().Replace(named("test.self", "2.0.0"))
		},
	})); err != nil {
		t.Fatal(err)
	}
	old, _ := r.reg.Lookup("test.self")
	got := r.must("test.self", "") + r.must("test_self", "")
	res := r.reg.Invoke(t.Context(), &registry.Request{Skill: old, Principal: writer()}, nil) // looked up before
	if want := `{"version":"1.0.0"}{"version":"2.0.0"}`; got != want || string(res.Output) != `{"version":"1.0.0"}` {
		t.Errorf("got %s, then %s; want %s", got, res.Output, want)
	}
}

func TestDefine(t *testing.T) {
	tests := []struct {
		spec registry.Spec[struct{}, struct{}]
		want string
	}{
		{registry.Spec[struct{}, struct{}]{}, `registry: skill name "": want words`},
		{registry.Spec[struct{}, struct{}]{Name: "a..b"}, `registry: skill name "a..b": want words`},
		{registry.Spec[struct{}, struct{}]{Name: "a b"}, `registry: skill name "a b": want words`},
		{registry.Spec[struct{}, struct{}]{Name: strings.Repeat("a", 49)}, `want at most 48 characters`},
		{registry.Spec[struct{}, struct{}]{Name: "a", Description: " "}, `registry: skill a has no description`},
		{registry.Spec[struct{}, struct{}]{Name: "a", Description: "d"}, `registry: skill a names no permission: say profiles.Anyone`},
		{
			registry.Spec[struct{}, struct{}]{Name: "a", Description: "d", Permissions: []profiles.Permission{profiles.Anyone}, Effect: 9},
			`registry: skill a has an unknown effect`,
		},
		{
			registry.Spec[struct{}, struct{}]{Name: "a", Description: "d", Permissions: []profiles.Permission{profiles.Anyone}, Version: "v1"},
			`registry: skill a: version "v1" is not of the form 1.2.3`,
		},
		{
			registry.Spec[struct{}, struct{}]{Name: "a", Description: "d", Permissions: []profiles.Permission{"Scene"}},
			`Scene`,
		},
		{
			registry.Spec[struct{}, struct{}]{Name: "a", Description: "d", Permissions: []profiles.Permission{profiles.Anyone}},
			`registry: skill a has no Handle`,
		},
	}
	for _, tt := range tests {
		contains(t, panicOf(func() { registry.Define(tt.spec) }), tt.want)
	}
	valid := registry.Spec[struct{}, struct{}]{
		Description: "d", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, struct{}) (struct{}, error) { return struct{}{}, nil },
	}
	tried := []string{"a", "A-b_9.c", "0.1.2", "", ".", "a.", ".a", "a..b", "a b", "é", "a/b"}
	for b := range 256 {
		tried = append(tried, "a"+string([]byte{byte(b)})+"c")
	}
	for _, name := range tried {
		spec := valid
		spec.Name = name
		ok := regexp.MustCompile(`^[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*$`).MatchString(name)
		if got := panicOf(func() { registry.Define(spec) }); (got == "") != ok {
			t.Errorf("name %q: %q", name, got)
		}
	}
	for _, version := range []string{"1.2.3", "10.0.0-rc.1", "1.2.3--", "1.2", "1.2.3.4", "1..3", "1.2.3-", "1.2.3-a+b", "a.b.c", "-1.2.3", "1.2.3 "} {
		spec := valid
		spec.Name, spec.Version = "a", version
		ok := regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`).MatchString(version)
		if got := panicOf(func() { registry.Define(spec) }); (got == "") != ok {
			t.Errorf("version %q: %q", version, got)
		}
	}
}

// TestMistakeInStructs: it shows in Check, when a schema is asked for, and to whoever calls.
func TestMistakeInStructs(t *testing.T) {
	type bad struct {
		F func() `json:"f"`
	}
	k := registry.Define(registry.Spec[bad, struct{}]{
		Name: "a.b", Description: "d", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, bad) (struct{}, error) { return struct{}{}, nil },
	})
	const mistake = "skill a.b: input: registry_test.bad.F: "
	r := newRig(t, registry.Options{}, k, named("c.d", "1.0.0"))
	for range 2 {
		contains(t, k.Check().Error(), mistake)
		contains(t, r.reg.Check().Error(), mistake)
		contains(t, panicOf(func() { k.InputSchema() }), "registry: "+mistake)
		contains(t, panicOf(func() { k.OutputSchema() }), "registry: "+mistake)
		res := r.reg.Invoke(t.Context(), &registry.Request{Name: "a.b"}, nil)
		if res.Err == nil || res.Err.Code != registry.CodeHandlerError || !strings.HasPrefix(res.Err.Message, "internal error in call") {
			t.Errorf("got %v", res.Err)
		}
		_, err := registry.Invoke[bad, struct{}](t.Context(), r.reg, nil, "a.b", bad{})
		contains(t, err.Error(), "internal error in call")
	}
	r.reg.Unregister("a.b")
	if err := r.reg.Check(); err != nil {
		t.Error(err)
	}
}

// What a skill takes and gives is a JSON object, by its schema too: MCP has no others.
func TestInputAndOutputAreObjects(t *testing.T) {
	type some struct {
		N int `json:"n"`
	}
	for mistake, k := range map[string]registry.Skill{
		"":                               defined[some, some](),
		"input: []string is no":          defined[[]string, some](),
		"input: int is no":               defined[int, some](),
		"input: interface {} is no":      defined[any, some](),
		"input: json.RawMessage is no":   defined[json.RawMessage, some](),
		"output: []string is no":         defined[some, []string](),
		"output: *[]registry_test.some ": defined[some, *[]some](),
		"output: time.Time is no":        defined[some, time.Time](),
	} {
		err := k.Check()
		if mistake == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no mistake was found", mistake)
			continue
		}
		contains(t, err.Error(), "skill a.b: "+mistake)
	}
	for _, k := range []registry.Skill{defined[map[string]int, *some](), defined[registry.Object, registry.Object]()} {
		if err := k.Check(); err != nil {
			t.Error(err)
		}
	}
}

// defined is a skill of the given types.
func defined[In, Out any]() registry.Skill {
	return registry.Define(registry.Spec[In, Out]{
		Name: "a.b", Description: "d", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, In) (out Out, err error) { return out, nil },
	})
}

// panicOf returns the text that f panics with.
func panicOf(f func()) (text string) {
	defer func() { text, _ = recover().(string) }()
	f()
	return ""
}

func TestInfo(t *testing.T) {
	k := registry.Define(registry.Spec[echoIn, echoOut]{
		Name: "cat.verb", Description: "d", Permissions: []profiles.Permission{"scene.read", profiles.Anyone, "scene.read"}, Slow: true,
		Handle: func(*registry.Call, echoIn) (echoOut, error) { return echoOut{}, nil },
	})
	want := registry.Info{
		Name: "cat.verb", Version: "1.0.0", Title: "cat.verb", Description: "d", Category: "cat", Slow: true,
		Permissions: []profiles.Permission{"scene.read"},
	}
	if diff := cmp.Diff(want, k.Info()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	contains(t, string(k.InputSchema()), `"default":"hi"`)
	contains(t, string(k.OutputSchema()), `"required":["text","n","list"]`)
	if k.Slow() != true || k.Allowed(profiles.Grants{}) || !k.Allowed(profiles.Grant("scene.read")) {
		t.Error("Slow or Allowed is wrong")
	}
	for e, want := range map[registry.Effect]string{registry.Anything: "anything", registry.Writes: "writes", registry.Destroys: "destroys", registry.Reads: "reads"} {
		if e.String() != want {
			t.Errorf("%d is %q, want %q", e, e, want)
		}
	}
}
