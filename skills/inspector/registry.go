package inspector

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/trace"
)

// Skill is a skill of the server.
type Skill struct {
	Name        string                `json:"name" jsonschema_description:"Its name."`
	Version     string                `json:"version" jsonschema_description:"Its semantic version."`
	Category    string                `json:"category" jsonschema_description:"The group that it belongs to."`
	Permissions []profiles.Permission `json:"permissions" jsonschema_description:"What it needs; nothing if empty."`
}

func skills(r *registry.Registry) []Skill {
	var out []Skill
	for _, k := range r.List(registry.Filter{}) {
		i := k.Info()
		out = append(out, Skill{Name: i.Name, Version: i.Version, Category: i.Category, Permissions: i.Permissions})
	}
	return out
}

// Permissions says who may do what.
type Permissions struct {
	Caller   []profiles.Permission            `json:"caller" jsonschema_description:"What you hold."`
	Profiles map[string][]profiles.Permission `json:"profiles" jsonschema_description:"What each profile grants."`
}

func permissions(set *profiles.Set, p *profiles.Principal) Permissions {
	out := Permissions{Caller: p.Grants.List(), Profiles: map[string][]profiles.Permission{}}
	for _, name := range set.Names() {
		if g, err := set.Resolve(name); err == nil {
			out.Profiles[name] = g.List()
		}
	}
	return out
}

// Trace is what a snapshot says of the log.
type Trace struct {
	ThreadID   string          `json:"threadId" jsonschema_description:"Your session."`
	EventCount int             `json:"eventCount" jsonschema_description:"How many events the log holds."`
	Actors     []string        `json:"actors" jsonschema_description:"Whose events are among the newest 1,000, in alphabetical order."`
	Recent     []tracing.Event `json:"recent" jsonschema_description:"The newest 20, oldest first."`
}

const (
	searched = 1000 // events in which actors are looked for
	recent   = 20
)

// traceOf returns nil to those who may not read the trace.
func traceOf(c *registry.Call) *Trace {
	if !c.Principal().Grants.Has("trace.read") {
		return nil
	}
	log := c.Registry().Trace()
	events, _ := log.Tail(trace.Filter{Newest: true, Limit: searched})
	out := &Trace{ThreadID: c.Principal().Session, EventCount: log.Len()}
	for _, e := range events {
		out.Actors = append(out.Actors, e.ActorID)
	}
	slices.Sort(out.Actors)
	out.Actors = slices.Compact(out.Actors)
	out.Recent = tracing.EventsOf(events[max(0, len(events)-recent):])
	return out
}
