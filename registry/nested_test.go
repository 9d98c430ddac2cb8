package registry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// seq is the input of a test.seq of the given steps, "name input" each.
func seq(more string, steps ...string) string {
	var list []string
	for _, s := range steps {
		name, input, _ := strings.Cut(s, " ")
		list = append(list, fmt.Sprintf(`{"name":%q,"input":%s}`, name, input))
	}
	return fmt.Sprintf(`{"steps":[%s]%s}`, strings.Join(list, ","), more)
}

// tree returns the log as lines of "type skill", each indented below the call that it is a part of.
func (r *rig) tree() string {
	var b strings.Builder
	depth := map[trace.ID]int{}
	for _, e := range r.events() {
		if e.ParentEventID != nil {
			depth[e.ID] = depth[*e.ParentEventID] + 1
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth[e.ID]), e.Type)
		p := r.payload(e)
		for _, k := range []string{"skill", "code", "approvalId", "line"} {
			if v, ok := p[k]; ok {
				fmt.Fprintf(&b, " %v", v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestNested(t *testing.T) {
	tests := []struct {
		name, input, want, tree string
		lines                   []string
	}{
		{
			"all good, one commit",
			seq("", `test.write {"line":"a","emits":1}`, `test.seq `+seq("", `test.write {"line":"b"}`), `test_write {"line":"c"}`),
			"ok",
			`skill.executed test.seq
  skill.executed test.write
    test.wrote a
  skill.executed test.seq
    skill.executed test.write
  skill.executed test.write
`,
			[]string{"a", "b", "c"},
		},
		{
			"an inner failure is undone, the outer goes on",
			seq(`,"go":true`, `test.write {"line":"a"}`, `test.write {"line":"b","emits":2,"then":"fail"}`, `test.write {"line":"c"}`),
			"ok",
			`skill.executed test.seq
  skill.executed test.write
  skill.failed test.write handler_error
  skill.executed test.write
`,
			[]string{"a", "c"},
		},
		{
			"an inner panic is undone, the outer goes on",
			seq(`,"go":true`, `test.write {"line":"a","then":"panic"}`, `test.write {"line":"b"}`),
			"ok",
			`skill.executed test.seq
  skill.failed test.write handler_error
  skill.executed test.write
`,
			[]string{"b"},
		},
		{
			"an inner contract is broken, the outer goes on",
			seq(`,"go":true`, `test.write {"line":"a","then":"break"}`, `test.write {"line":"b"}`),
			"ok",
			`skill.executed test.seq
  skill.failed test.write handler_error
  skill.executed test.write
`,
			[]string{"b"},
		},
		{
			"the middle one of three fails: what its own calls did is undone too",
			seq(
				`,"go":true`, `test.write {"line":"a"}`,
				`test.seq `+seq(`,"then":"fail"`, `test.write {"line":"b"}`, `test.seq `+seq("", `test.write {"line":"c"}`)),
			),
			"ok",
			`skill.executed test.seq
  skill.executed test.write
  skill.failed test.seq handler_error
`,
			[]string{"a"},
		},
		{
			"an inner failure that the outer hands on keeps its code, text and event",
			seq("", `test.write {"line":"a","emits":1}`, `test.write {"line":"b","then":"exhaust"}`),
			"capacity_exceeded: the page is full",
			`skill.refused test.seq capacity_exceeded
  skill.refused test.write capacity_exceeded
`,
			nil,
		},
		{
			"refusals stay when what is around them is undone",
			seq(`,"then":"panic"`, `test.seq `+seq(`,"go":true`, `test.write {"line":"a"}`, `test.write {"lime":"b"}`), `test.echo {}`),
			"handler_error: internal error in call 1; nothing was changed",
			`skill.failed test.seq handler_error
  skill.refused test.write invalid_input
`,
			nil,
		},
		{
			"refusals of two levels",
			seq(
				`,"then":"fail"`,
				`test.seq `+seq(`,"go":true`, `test.no {}`, `test.echo {}`, `test.seq `+seq("", `test.write {"line":"a"}`, `test.nope {}`)),
				`test.echo {}`,
			),
			"handler_error: the sequence fails",
			`skill.failed test.seq handler_error
  skill.refused test.no not_found
  skill.refused test.seq not_found
    skill.refused test.nope not_found
`,
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, registry.Options{})
			res := r.call(writer(), "test.seq", tt.input)
			if got := text(res.Err); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff(tt.tree, r.tree()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.lines, r.ledger.all()); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			wantCommits := min(len(tt.lines), 1)
			if r.ledger.commits != wantCommits {
				t.Errorf("%d commits, want %d", r.ledger.commits, wantCommits)
			}
			for _, e := range r.events() {
				if p := r.payload(e); p["skill"] != nil && p["intent"] != 1.0 {
					t.Errorf("%v is of the intent %v", e, p["intent"])
				}
			}
			if len(res.Events()) != len(r.events()) {
				t.Errorf("Result.Events has %d ids, the log %d", len(res.Events()), len(r.events()))
			}
		})
	}
}

// TestNestedPermission checks that a call inside a call has the permissions of its caller, not
// those of the skill that makes it.
func TestNestedPermission(t *testing.T) {
	r := newRig(t, registry.Options{})
	res := r.call(reader(), "test.seq", seq("", `test.write {"line":"a"}`))
	if got, want := text(res.Err), "forbidden: missing permission: scene.write"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	events := r.events()
	want := []any{[]any{}, []any{"scene.read", "scene.write"}}
	if diff := cmp.Diff(want, []any{r.payload(events[0])["required"], r.payload(events[1])["required"]}); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestNestedDepth(t *testing.T) {
	r := newRig(t, registry.Options{})
	nest := func(levels int) string {
		input := seq("", `test.write {"line":"a"}`)
		for range levels - 1 {
			input = seq("", "test.seq "+input)
		}
		return input
	}
	if res := r.call(writer(), "test.seq", nest(8)); res.Err != nil {
		t.Errorf("eight levels: %v", res.Err)
	}
	res := r.call(writer(), "test.seq", nest(9))
	if got, want := text(res.Err), "capacity_exceeded: calls inside calls: at most 8 deep"; got != want {
		t.Errorf("nine levels: got %s, want %s", got, want)
	}
	if got := r.ledger.all(); len(got) != 1 {
		t.Errorf("lines: %v", got)
	}
}

// TestNestedKnowsItsCall checks what a call inside a call shares with the one around it.
func TestNestedKnowsItsCall(t *testing.T) {
	type seen struct {
		Intent   uint64
		Agent    string
		Previous string
		Skill    string
	}
	var got []seen
	look := func(name string, then func(*registry.Call) error) registry.Skill {
		return registry.Define(registry.Spec[struct{}, struct{}]{
			Name: name, Description: "Look.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
				got = append(got, seen{c.Intent(), c.Principal().ID, string(c.Previous()), c.Skill().Name})
				c.Progress(float64(len(got)), 2, name)
				return struct{}{}, then(c)
			},
		})
	}
	r := newRig(t, registry.Options{},
		look("look.outer", func(c *registry.Call) error {
			_, err := c.Invoke("look.inner", nil)
			return err
		}),
		look("look.inner", func(c *registry.Call) error {
			if c.Registry() == nil {
				t.Error("no registry")
			}
			return nil
		}))
	var progress []registry.Progress
	res := r.reg.Invoke(t.Context(), &registry.Request{
		Name: "look.outer", Principal: writer(), Previous: json.RawMessage(`[1]`),
		Progress: func(p registry.Progress) { progress = append(progress, p) },
	}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	want := []seen{{res.Intent, "mason", "[1]", "look.outer"}, {res.Intent, "mason", "[1]", "look.inner"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]registry.Progress{{Value: 1, Total: 2, Message: "look.outer"}, {Value: 2, Total: 2, Message: "look.inner"}}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}
