package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/world"
)

// gather is how long who comes and goes is gathered before the world is told: who has gone again by then was not here, so that one who comes and goes as fast as he can is no
// news to everybody each time.
const gather = 50 * time.Millisecond

// attending tells the world which agents have sessions, by calls of agent.attend in the name of nobody: they are in the trace and told to the Recorder as others are. A
// goroutine of its own makes them, one after the other, because sessions end wherever connections do, also while the world is locked.
type attending struct {
	e      *Engine
	attend registry.Skill
	leave  float64 // as Config.Leave
	hurry  func()  // from now on nothing is gathered
	over   <-chan struct{}

	mu      sync.Mutex // guards what follows
	waiting map[string]bool
	idle    chan struct{} // closed once nobody is at it; nil: nobody is
}

func newAttending(e *Engine, leave float64) *attending {
	over, hurry := context.WithCancel(context.Background())
	return &attending{e: e, attend: e.Presence.Attend(), leave: leave, hurry: hurry, over: over.Done(), waiting: map[string]bool{}}
}

// tell has the world be told soon that an agent has come or gone. It does not block.
func (p *attending) tell(agent string, here bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[agent] = here
	if p.idle == nil {
		p.idle = make(chan struct{})
		go p.work()
	}
}

// work tells the world for as long as there is something to tell.
func (p *attending) work() {
	for {
		select {
		case <-time.After(gather):
		case <-p.over:
		}
		changes := p.next()
		if changes == nil {
			return
		}
		p.call(agent.AttendIn{Changes: changes})
	}
}

// next returns what is to be told in one call, in the order of the agents' names; nil if that is nothing.
func (p *attending) next() (changes []agent.Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		close(p.idle)
		p.idle = nil
		return nil
	}
	names := slices.Sorted(maps.Keys(p.waiting))
	for _, name := range names[:min(len(names), agent.MaxAttending)] {
		changes = append(changes, agent.Change{Agent: name, Here: p.waiting[name]})
		delete(p.waiting, name)
	}
	return changes
}

// wait waits until the world was told all that there is to tell, which is done at once from now on.
func (p *attending) wait() {
	p.hurry()
	for {
		p.mu.Lock()
		idle := p.idle
		p.mu.Unlock()
		if idle == nil {
			return
		}
		<-idle
	}
}

// begin has a world that goes on know that nobody is here: who was when it ended has left, and what goes with agents has the whole grace from now. If that is
// so already, it is told nothing.
func (p *attending) begin() {
	var told, avatars bool
	p.e.World.View(func(v *world.View) { told, avatars = p.e.Agents.Known(v) })
	if told || avatars && p.leave > 0 {
		p.call(agent.AttendIn{Nobody: true})
	}
}

// engineer is in whose name the engine calls: nobody's, so it is nobody's to undo.
var engineer = profiles.Principal{Kind: profiles.KindApp, Grants: profiles.Grant("agent.write")}

func (p *attending) call(in agent.AttendIn) {
	in.Grace = max(p.leave, 0)
	input, err := json.Marshal(in)
	if err == nil {
		if res := p.e.Registry.Invoke(context.Background(), &registry.Request{Skill: p.attend, Input: input, Principal: &engineer}, nil); res.Err != nil {
			err = res.Err
		}
	}
	if err != nil {
		p.e.logger.Error().Err(err).Msg("the world does not know who has come and gone")
	}
}
