package registry

import (
	"context"
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
)

// Resources is the set of what can be read beside calling skills. All methods may be called
// concurrently.
type Resources struct{ offers[Resource] }

func (s *Resources) init() {
	s.offers.init("resource", Define(Spec[readIn, nothing]{
		Name: "resource", Description: "Read what nobody offers.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: Reads,
		Handle: func(_ *Call, in readIn) (nothing, error) {
			return nothing{}, Errorf(CodeNotFound, "unknown resource: %s", in.URI)
		},
	}))
}

// Resources returns the registry's resources.
func (r *Registry) Resources() *Resources { return &r.resources }

// Register adds resources, all or none. It fails if a URI is taken, or if one is the zero Resource.
func (s *Resources) Register(list ...Resource) error { return s.register(list) }

// RegisterLater has the resources that list returns registered when somebody first looks for one, so that
// what is not asked for takes nothing of a start. It panics unless the set is empty; so does the first
// look if a URI is there twice.
func (s *Resources) RegisterLater(list func() []Resource) { s.registerLater(list) }

// Find returns the resources that grants allow, nil: all, in the order of their registration.
func (s *Resources) Find(grants *profiles.Grants) []Resource { return s.find(grants) }

// Lookup finds the resource that a URI names: the one that has it, else the first whose template it
// fits.
func (s *Resources) Lookup(uri string) (Resource, bool) {
	now := s.look()
	if r, ok := now.byKey[uri]; ok && r.r.template == nil {
		return r, true
	}
	if len(uri) > maxURI {
		return Resource{}, false
	}
	for _, key := range now.order {
		if r := now.byKey[key]; r.r.template != nil {
			if _, ok := r.r.match(uri); ok {
				return r, true
			}
		}
	}
	return Resource{}, false
}

// Template finds a resource by its template, or by its URI if that is none.
func (s *Resources) Template(template string) (Resource, bool) {
	r, ok := s.look().byKey[template]
	return r, ok
}

// Reading returns the call that reads a URI. Where nothing has the URI the call is one that fails
// with not_found, so that this leaves its event too; where the URI has more than 2048 characters, one
// that fails with invalid_input.
func (s *Resources) Reading(uri string) Request {
	input, _ := json.Marshal(readIn{uri}) // never fails
	r, ok := s.Lookup(uri)
	if !ok {
		return Request{Skill: s.none, Input: input}
	}
	return Request{Skill: r.r.skill, Input: input}
}

// Read reads a resource as p, in process. A failure is an [*Error]; see [Resources.Reading] for that of a URI
// that nothing has.
func (r *Registry) Read(ctx context.Context, p *profiles.Principal, uri string) ([]Contents, error) {
	req := r.resources.Reading(uri)
	req.Principal = p
	res := r.Invoke(ctx, &req, nil)
	if res.Err != nil {
		return nil, res.Err
	}
	return res.Contents(), nil
}

// Contents returns what a call has read that was made by [Resources.Reading].
func (r *Result) Contents() []Contents {
	contents, _ := r.offered.([]Contents)
	return contents
}
