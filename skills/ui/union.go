package ui

import (
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// The three unions of this package ([Anchor], [Color], [Padding]) read themselves: they look at how
// the value begins and leave the rest to the plan of that branch. The same plan gives the branch its
// schema, so both have the same limits.

// branch is the schema of one branch.
func branch[T any](description string) *jsonschema.Schema {
	s := *wire.PlanOf[T]().Schema() // a copy: the plan's own is shared
	s.Description = description
	return &s
}

func startsNumber(data []byte) bool {
	return len(data) > 0 && (data[0] == '-' || '0' <= data[0] && data[0] <= '9')
}

// mismatch refuses a value that is of no branch.
func mismatch(data []byte, want string) error {
	got := quote.Clip(string(data))
	switch data[0] {
	case '"':
		got = "the string " + got
	case '[':
		got = "an array"
	case '{':
		got = "an object"
	}
	return problem("must be %s, got %s", want, got)
}

func problem(format string, args ...any) error {
	return wire.Errors{{Message: fmt.Sprintf(format, args...)}}
}
