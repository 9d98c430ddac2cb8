package agent

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// MaxAttending is how many agents one call of agent.attend is about.
const MaxAttending = 256

// Presence has a world know which agents have a session: it is told by calls of a skill that no list shows ([Presence.Attend]), so whatever replays the calls of a
// log replays this too. What follows from it follows in simulation steps, from the world alone.
type Presence struct {
	w    *world.World
	a    *agents.Agents
	does *action.Actions // nil: nobody is told
	bars []func(tx *world.Tx, barred func(agent string) bool) error
}

// NewPresence returns the presence of a world's agents. [Presence.Go] has those leave whose time is up.
func NewPresence(w *world.World, a *agents.Agents) *Presence { return &Presence{w: w, a: a} }

// Go has the world's steps remove the characters and bodies of agents that have left, and tells it by does. It is called once, where the world is put together, before
// what hears events in steps.
func (p *Presence) Go(does *action.Actions) {
	p.does = does
	p.w.OnStep("agents.leave", p.leave, world.BusyWhile(p.a.Awaited))
}

// Bars has functions end, or have rest, what agents have begun that goes on by itself, for whom nothing is done any more, and go on again what rests for those who are not among them: whenever
// that changes, and when a checkpoint has brought back another world. It is called once, where the world is put together.
func (p *Presence) Bars(fns ...func(tx *world.Tx, barred func(agent string) bool) error) {
	p.bars = fns
	p.w.OnRestore(func(tx *world.Tx, _ uint64) error { return p.bar(tx) })
}

// bar has rest what is to rest.
func (p *Presence) bar(tx *world.Tx) error {
	if p.does == nil {
		return nil
	}
	banned := p.does.Limits(&tx.View).Banned
	for _, fn := range p.bars {
		if err := fn(tx, func(agent string) bool { return profiles.CoversAny(banned, agent) }); err != nil {
			return err
		}
	}
	return nil
}

// AttendIn is the input of agent.attend.
type AttendIn struct {
	Changes []Change `json:"changes,omitempty" validate:"max=256" jsonschema_description:"Who has come and who has gone, in this order."`
	Nobody  bool     `json:"nobody" jsonschema:"default=false" jsonschema_description:"Whether nobody was here before changes, as when a server starts."`
	Grace   float64  `json:"grace" jsonschema_description:"Simulated seconds after which the characters of who has gone go; 0 or less: never."`
}

// Change says of an agent that its first session has begun, or that its last one has ended.
type Change struct {
	Agent string `json:"agent" validate:"min=1,max=256"`
	Here  bool   `json:"here"`
}

// AttendOut is the output of agent.attend.
type AttendOut struct {
	Joined int `json:"joined" jsonschema_description:"How many were not here before."`
	Left   int `json:"left" jsonschema_description:"How many were."`
}

// Attend returns the skill agent.attend, which is not registered: it is the engine's, to call as itself ([registry.Request.Skill]). It notes who has come and gone, and emits agent.joined and
// agent.left for each to whom that is news.
func (p *Presence) Attend() registry.Skill {
	return registry.Define(registry.Spec[AttendIn, AttendOut]{
		Name:        "agent.attend",
		Title:       "Note who has come and gone",
		Description: "Note which agents have come and which have gone: those whose first session has begun, and whose last one has ended.",
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in AttendIn) (AttendOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (AttendOut, error) { return p.attend(tx, &in) })
		},
	})
}

func (p *Presence) attend(tx *world.Tx, in *AttendIn) (out AttendOut, err error) {
	var grace uint64
	if in.Grace > 0 {
		grace = max(1, p.w.StepsIn(in.Grace))
	}
	var news []agents.News
	if in.Nobody {
		if news, err = p.a.Nobody(tx, grace); err != nil {
			return out, err
		}
	}
	all := make([]agents.Attendance, len(in.Changes))
	for i, c := range in.Changes {
		all[i] = agents.Attendance(c)
	}
	more, err := p.a.Attend(tx, all, grace)
	if err != nil {
		return out, err
	}
	for _, n := range append(news, more...) {
		what := "left"
		if n.Here {
			what = "joined"
			out.Joined++
		} else {
			out.Left++
		}
		if p.does == nil {
			continue
		}
		if err := p.does.TellAll(tx, "agent", what, n.Agent, n.Avatar, n.Agent, who{n.Agent, n.Avatar}); err != nil {
			return out, err
		}
	}
	return out, nil
}

// who is the data of what is emitted.
type who struct {
	Agent  string   `json:"agent"`
	Entity world.ID `json:"entity,omitempty"`
}

// leave removes what goes with agents whose time is up.
func (p *Presence) leave(tx *world.Tx) error {
	return p.a.Leave(tx, func(agent string, id world.ID) error {
		return p.does.Tell(tx, "player", "left", agent, id, agent, struct {
			Agent string `json:"agent"`
		}{agent})
	})
}
