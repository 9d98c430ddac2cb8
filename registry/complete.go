package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
)

// MaxSuggestions is how many values a completion gives at most.
const MaxSuggestions = 100

// Partial is an argument of a prompt, or a variable of a template, of which somebody has written a
// part.
type Partial struct {
	Name      string
	Value     string              // what is written so far
	Others    map[string]string   // arguments that are there already
	Principal *profiles.Principal // who writes
}

// Suggestions are what a [Partial] may become, the likeliest first.
type Suggestions struct {
	Values []string
	Total  int  // how many there are in all; 0: not known
	More   bool // there are more than Values
}

// Completer suggests what an argument may become. It is asked as somebody types, may run concurrently
// with itself and must return at once. It leaves no event, as lists leave none, and so shows no more than
// names; it is asked only for those who have the permissions.
type Completer func(ctx context.Context, p Partial) (Suggestions, error)

// Choices is a Completer for an argument of which the values are known: those that begin with what
// is written, in any case, then those that contain it.
func Choices(values ...string) Completer {
	return func(_ context.Context, p Partial) (Suggestions, error) {
		written := strings.ToLower(p.Value)
		var begin, inside []string
		for _, v := range values {
			switch at := strings.Index(strings.ToLower(v), written); {
			case at == 0:
				begin = append(begin, v)
			case at > 0:
				inside = append(inside, v)
			}
		}
		all := slices.Concat(begin, inside)
		return Suggestions{Values: all, Total: len(all)}, nil
	}
}

// complete asks a completer that belongs to a skill.
func complete(ctx context.Context, k Skill, ask Completer, p Partial) (s Suggestions, err error) {
	if p.Principal == nil {
		p.Principal = noPrincipal
	}
	if missing, lacks := p.Principal.Grants.Missing(k.s.need); lacks {
		return s, Errorf(CodeForbidden, "missing permission: %s", missing)
	}
	if ask == nil {
		return Suggestions{Values: []string{}}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("completing an argument of %s panicked: %v", k.Name(), p)
		}
	}()
	if s, err = ask(ctx, p); err != nil {
		return Suggestions{}, err
	}
	if len(s.Values) > MaxSuggestions {
		s.Total, s.More = max(s.Total, len(s.Values)), true
		s.Values = s.Values[:MaxSuggestions]
	}
	s.More = s.More || s.Total > len(s.Values)
	return s, nil
}
