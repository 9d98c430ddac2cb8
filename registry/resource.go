package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yosida95/uritemplate/v3"

	"github.com/limina-mcp/limina/profiles"
)

// maxURI bounds the URI of a resource, in bytes.
const maxURI = 2048

// ResourceSpec declares something to read: one thing or, where the URI is a template, one for each
// URI that fits it.
//
// A read is a call like any other, of a skill that is in no list and is named "resource." and the
// resource's Name: with its permissions, before the gate, with an event of its own whose input is the
// URI, on the caller's goroutine.
type ResourceSpec struct {
	URI         string // "limina://world/summary", or a template of RFC 6570: "limina://entity/{id}"
	Name        string // one word: "entity"; several resources may have the same
	Label       string // what lists call it; default Name
	Title       string // for people; default Label
	Description string // for models and people: what it holds, and when to read it
	MIMEType    string // of what it holds, if that is always the same
	Size        int64  // of what it holds, in bytes, if that is known

	// Permissions are all needed, to read it and to be shown it. One that needs none says
	// profiles.Anyone.
	Permissions []profiles.Permission
	Slow        bool          // see [Spec.Slow]
	Timeout     time.Duration // default [DefaultTimeout]; negative for none

	// Read returns what the resource holds: one item, mostly. If there is no such resource it fails
	// with [CodeNotFound]. It must change nothing, and may run concurrently with itself.
	Read func(c *Call, at Place) ([]Contents, error)

	// Complete says what the variables of the template may be; nil: nobody knows. See [Completer].
	Complete Completer

	// Watch has changed called whenever what a read of the place would give has changed, until stop is
	// called: nil if it never does. changed does not wait and may be called from anywhere; stop may be nil where
	// there is nothing to stop. Watch fails where there can never be such a resource; that there is none yet is no failure.
	Watch func(at Place, changed func()) (stop func(), err error)
}

// Place is one resource of those that a [ResourceSpec] stands for.
type Place struct {
	URI  string
	vars uritemplate.Values
}

// Var returns what a variable of the template stands for in the URI, "" if the template has none of
// the name.
func (p Place) Var(name string) string { return p.vars.Get(name).String() }

// Resource is a declared resource, ready to be registered. It is immutable; the zero Resource is
// none.
type Resource struct{ r *resource }

type resource struct {
	spec     ResourceSpec
	template *uritemplate.Template // nil: the URI is one
	skill    Skill
}

type readIn struct {
	URI string `json:"uri" validate:"max=2048"`
}

// DefineResource declares a resource. It panics, naming it, if the declaration is wrong.
func DefineResource(spec ResourceSpec) Resource {
	r, err := newResource(spec)
	if err != nil {
		panic("registry: " + err.Error())
	}
	return Resource{r}
}

func newResource(spec ResourceSpec) (*resource, error) {
	if !isName(spec.Name) || strings.Contains(spec.Name, ".") {
		return nil, fmt.Errorf("resource name %q: want one word of [a-zA-Z0-9_-]", spec.Name)
	}
	if spec.Read == nil {
		return nil, fmt.Errorf("resource %s has no Read", spec.Name)
	}
	r := &resource{spec: spec}
	if strings.ContainsAny(spec.URI, "{}") {
		t, err := uritemplate.New(spec.URI)
		if err != nil {
			return nil, fmt.Errorf("resource %s: URI template %q: %w", spec.Name, spec.URI, err)
		}
		r.template = t
	} else if err := checkURI(spec.URI); err != nil {
		return nil, fmt.Errorf("resource %s: %w", spec.Name, err)
	}
	if r.spec.Label == "" {
		r.spec.Label = spec.Name
	}
	if r.spec.Title == "" {
		r.spec.Title = r.spec.Label
	}
	var err error
	r.skill, err = declared("resource", Info{Name: spec.Name, Title: r.spec.Title, Description: spec.Description, Slow: spec.Slow}, spec.Timeout, &r.spec.Permissions, r.read)
	return r, err
}

// match returns the place that a URI stands for, and whether it is one of this resource's.
func (r *resource) match(uri string) (Place, bool) {
	if r.template == nil {
		return Place{URI: uri}, uri == r.spec.URI
	}
	vars := r.template.Match(uri)
	return Place{uri, vars}, vars != nil
}

// nothing is the output of reads and prompts: what they give stands beside it.
type nothing struct{}

// read is the handler of the resource's skill.
func (r *resource) read(c *Call, in readIn) (nothing, error) {
	at, ok := r.match(in.URI)
	if !ok {
		return nothing{}, Invalidf("uri: %q is none of %s", in.URI, r.spec.URI)
	}
	contents, err := r.spec.Read(c, at)
	if err != nil {
		return nothing{}, err
	}
	if len(contents) == 0 {
		return nothing{}, errors.New("the resource holds nothing, and has not said that it is not there")
	}
	size := 0
	for i := range contents {
		if err := contents[i].Check(); err != nil {
			return nothing{}, err
		}
		size += contents[i].size()
	}
	if size > MaxAttached {
		return nothing{}, Errorf(CodeCapacityExceeded, "%s holds %d bytes, at most %d can be read", in.URI, size, MaxAttached)
	}
	c.root.offered = contents
	return nothing{}, nil
}

// Info is what lists show of a resource: its declaration, without what it does.
func (r Resource) Info() ResourceSpec {
	s := r.r.spec
	s.Read, s.Complete, s.Watch = nil, nil, nil
	return s
}

func (r Resource) key() string { return r.r.spec.URI }

// Template reports whether the resource's URI is a template, and so the resource one of many.
func (r Resource) Template() bool { return r.r.template != nil }

// Allowed reports whether grants suffice for the resource.
func (r Resource) Allowed(g profiles.Grants) bool { return r.r.skill.Allowed(g) }

// Complete completes a variable of the resource's template. See [Completer].
func (r Resource) Complete(ctx context.Context, p Partial) (Suggestions, error) {
	if r.r.template == nil || !slices.Contains(r.r.template.Varnames(), p.Name) {
		return Suggestions{}, Invalidf("argument: %s has no variable %q", r.r.spec.URI, p.Name)
	}
	return complete(ctx, r.r.skill, r.r.spec.Complete, p)
}
