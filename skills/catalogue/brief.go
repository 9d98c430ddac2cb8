package catalogue

import (
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// brief returns a schema as a model reads it: without the limits that all numbers have, and with what is large and there
// more than once in one place.
func brief(schema []byte) registry.Object { return shared(wire.Brief(schema)) }
