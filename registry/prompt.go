package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
)

// PromptSpec declares a prompt: a way to begin that a person picks and that a client puts before its
// model.
//
// To get it is a call like any other, of a skill that is in no list and is named "prompt." and the
// prompt's name: with its permissions, before the gate, with an event of its own whose input are the
// arguments.
type PromptSpec struct {
	Name        string // words of [a-zA-Z0-9_-], with dots between
	Title       string // for people; default the name
	Description string // for people: what it begins
	Arguments   []Argument

	// Permissions are all needed, to get it and to be shown it. One that needs none says
	// profiles.Anyone.
	Permissions []profiles.Permission
	Slow        bool          // see [Spec.Slow]
	Timeout     time.Duration // default [DefaultTimeout]; negative for none

	// Get writes the prompt. Those arguments that are required are there, and no others than are
	// declared. It must change nothing, and may run concurrently with itself.
	Get func(c *Call, arguments map[string]string) (Prompted, error)
}

// Argument is something that a prompt wants to know. All arguments are texts.
type Argument struct {
	Name        string
	Title       string // for people; default none
	Description string
	Required    bool
	Complete    Completer // nil: nobody knows what it may be
}

// Prompted is a prompt that somebody got.
type Prompted struct {
	Description string // what the messages are about
	Messages    []Message
}

// Role is whose words a message is.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of a conversation.
type Message struct {
	Role    Role
	Content Content
}

// Prompt is a declared prompt, ready to be registered. It is immutable; the zero Prompt is none.
type Prompt struct{ p *prompt }

type prompt struct {
	spec  PromptSpec
	skill Skill
}

type promptIn struct {
	Arguments map[string]string `json:"arguments,omitempty" validate:"omitempty,dive,max=65536"`
}

// DefinePrompt declares a prompt. It panics, naming it, if the declaration is wrong.
func DefinePrompt(spec PromptSpec) Prompt {
	p, err := newPrompt(spec)
	if err != nil {
		panic("registry: " + err.Error())
	}
	return Prompt{p}
}

func newPrompt(spec PromptSpec) (*prompt, error) {
	if !isName(spec.Name) {
		return nil, fmt.Errorf("prompt name %q: want words of [a-zA-Z0-9_-] with dots between", spec.Name)
	}
	if spec.Get == nil {
		return nil, fmt.Errorf("prompt %s has no Get", spec.Name)
	}
	p := &prompt{spec: spec}
	if p.spec.Title == "" {
		p.spec.Title = spec.Name
	}
	for i, a := range spec.Arguments {
		if a.Name == "" || p.argument(a.Name) != i {
			return nil, fmt.Errorf("prompt %s: argument %d has no name, or that of another one", spec.Name, i+1)
		}
	}
	var err error
	p.skill, err = declared("prompt", Info{Name: spec.Name, Title: p.spec.Title, Description: spec.Description, Slow: spec.Slow}, spec.Timeout, &p.spec.Permissions, p.get)
	return p, err
}

// argument returns the index of the first argument of the name, -1 if there is none.
func (p *prompt) argument(name string) int {
	return slices.IndexFunc(p.spec.Arguments, func(a Argument) bool { return a.Name == name })
}

// names lists the names of the arguments, for messages.
func (p *prompt) names() string {
	known := make([]string, len(p.spec.Arguments))
	for i, a := range p.spec.Arguments {
		known[i] = a.Name
	}
	return strings.Join(known, ", ")
}

// get is the handler of the prompt's skill.
func (p *prompt) get(c *Call, in promptIn) (nothing, error) {
	if err := p.check(in.Arguments); err != nil {
		return nothing{}, err
	}
	out, err := p.spec.Get(c, in.Arguments)
	if err != nil {
		return nothing{}, err
	}
	if len(out.Messages) == 0 {
		return nothing{}, errors.New("the prompt has no message")
	}
	size := 0
	for i := range out.Messages {
		m := &out.Messages[i]
		if m.Role != User && m.Role != Assistant {
			return nothing{}, fmt.Errorf("message %d has the role %q, want %s or %s", i+1, m.Role, User, Assistant)
		}
		if err := m.Content.Check(); err != nil {
			return nothing{}, fmt.Errorf("message %d: %w", i+1, err)
		}
		size += m.Content.size()
	}
	if size > MaxAttached {
		return nothing{}, Errorf(CodeCapacityExceeded, "the prompt has %d bytes, at most %d are allowed", size, MaxAttached)
	}
	c.root.offered = &out
	return nothing{}, nil
}

// check refuses arguments that are not declared, and the lack of those that are required.
func (p *prompt) check(arguments map[string]string) error {
	var wrong []string
	for _, a := range p.spec.Arguments {
		if _, given := arguments[a.Name]; a.Required && !given {
			wrong = append(wrong, "arguments."+a.Name+": is required: a string")
		}
	}
	for name := range arguments {
		if p.argument(name) < 0 {
			wrong = append(wrong, "arguments."+shortName(name)+": unknown argument, allowed: "+p.names())
		}
	}
	if wrong == nil {
		return nil
	}
	slices.Sort(wrong)
	return Invalidf("%s", strings.Join(wrong[:min(len(wrong), wire.MaxProblems)], "; "))
}

// Info is what lists show of a prompt: its declaration, without what it does.
func (p Prompt) Info() PromptSpec {
	s := p.p.spec
	s.Get = nil
	return s
}

// Name returns the prompt's name.
func (p Prompt) Name() string { return p.p.spec.Name }

func (p Prompt) key() string { return p.p.spec.Name }

// Allowed reports whether grants suffice for the prompt.
func (p Prompt) Allowed(g profiles.Grants) bool { return p.p.skill.Allowed(g) }

// Complete completes an argument of the prompt. See [Completer].
func (p Prompt) Complete(ctx context.Context, part Partial) (Suggestions, error) {
	at := p.p.argument(part.Name)
	if at < 0 {
		return Suggestions{}, Invalidf("argument.name: prompt %s has no argument %q, it has %s", p.p.spec.Name, part.Name, cmp.Or(p.p.names(), "none"))
	}
	return complete(ctx, p.p.skill, p.p.spec.Arguments[at].Complete, part)
}
