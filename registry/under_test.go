package registry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/registry"
)

// elsewhere is a refusal of a package that does not know registry.
type elsewhere struct{}

func (elsewhere) Error() string                   { return "gone" }
func (elsewhere) Refusal() (code, message string) { return "not_found", "gone" }

// TestUnder checks that a place in front of an error leaves it what it was.
func TestUnder(t *testing.T) {
	if err := registry.Under("since", nil); err != nil {
		t.Errorf("of nil: %v", err)
	}
	err := registry.Under("since", registry.Errorf(registry.CodeNotFound, "gone"))
	if e := (*registry.Error)(nil); !errors.As(err, &e) || e.Code != registry.CodeNotFound || e.Message != "since: gone" {
		t.Errorf("of a refusal: %#v", err)
	}
	err = registry.Under("since", fmt.Errorf("reading: %w", elsewhere{}))
	if e := (*registry.Error)(nil); !errors.As(err, &e) || e.Code != registry.CodeNotFound || e.Message != "since: gone" {
		t.Errorf("of another package's refusal: %#v", err)
	}
	err = registry.Under("node 3", context.Canceled)
	if !errors.Is(err, context.Canceled) || err.Error() != "node 3: context canceled" {
		t.Errorf("of another error: %v", err)
	}
}
