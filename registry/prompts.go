package registry

import (
	"context"
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
)

// Prompts is the set of prompts. All methods may be called concurrently.
type Prompts struct{ offers[Prompt] }

func (s *Prompts) init() {
	s.offers.init("prompt", Define(Spec[noPromptIn, nothing]{
		Name: "prompt", Description: "Get a prompt that nobody offers.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: Reads,
		Handle: func(_ *Call, in noPromptIn) (nothing, error) {
			return nothing{}, Errorf(CodeNotFound, "unknown prompt: %s; prompts/list has the names", in.Name)
		},
	}))
}

type noPromptIn struct {
	Name string `json:"name"`
}

// Prompts returns the registry's prompts.
func (r *Registry) Prompts() *Prompts { return &r.prompts }

// Register adds prompts, all or none. It fails if a name is taken, or if one is the zero Prompt.
func (s *Prompts) Register(list ...Prompt) error { return s.register(list) }

// Find returns the prompts that grants allow, nil: all, in the order of their registration.
func (s *Prompts) Find(grants *profiles.Grants) []Prompt { return s.find(grants) }

// Lookup finds a prompt by its name.
func (s *Prompts) Lookup(name string) (Prompt, bool) {
	p, ok := s.look().byKey[name]
	return p, ok
}

// Getting returns the call that gets a prompt. Where there is none of the name the call is one that
// fails with not_found, so that this leaves its event too.
func (s *Prompts) Getting(name string, arguments map[string]string) Request {
	p, ok := s.Lookup(name)
	if !ok {
		input, _ := json.Marshal(noPromptIn{shortName(name)})
		return Request{Skill: s.none, Input: input}
	}
	input, _ := json.Marshal(promptIn{arguments}) // never fails
	return Request{Skill: p.p.skill, Input: input}
}

// Prompt gets a prompt as p, in process. A failure is an [*Error]; not_found if there is none of the
// name.
func (r *Registry) Prompt(ctx context.Context, p *profiles.Principal, name string, arguments map[string]string) (*Prompted, error) {
	req := r.prompts.Getting(name, arguments)
	req.Principal = p
	res := r.Invoke(ctx, &req, nil)
	if res.Err != nil {
		return nil, res.Err
	}
	return res.Prompted(), nil
}

// Prompted returns what a call gave that was made by [Prompts.Getting]; nil if the call was another
// one or has failed.
func (r *Result) Prompted() *Prompted {
	p, _ := r.offered.(*Prompted)
	return p
}
