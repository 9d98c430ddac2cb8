// Package tracing holds the skills that look into the log of events: trace.* for those who may read
// all of it, audit.* for everybody who wants to know why he was allowed or denied something.
//
// Events are said to be "in the log" while it keeps them: the newest 8,192, unless the operator has
// set it otherwise.
package tracing

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// Deps is what the skills of this package need beside the registry that runs them.
type Deps struct {
	Dir string // where trace.export writes its files; it must exist. "" for nowhere
}

// All returns the skills of this package.
func All(d Deps) []registry.Skill {
	return []registry.Skill{Tail(), ExplainEvent(), Export(d.Dir), AuditExplain(), AuditQuery(), AuditUsage()}
}

// readTrace is the permission to see what others did.
const readTrace profiles.Permission = "trace.read"

// log returns the log of the registry that runs the call.
func log(c *registry.Call) *trace.Log { return c.Registry().Trace() }
