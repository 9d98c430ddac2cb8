package inproc

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// The crowd: agents among things, on a square of ground. Each sees what is within 20 metres of it,
// the 32 nearest: here there are some 60.
const (
	crowdAgents   = 200
	crowdEntities = 2000 // the agents' bodies included
	crowdSide     = 200  // metres
)

// walker is one agent of the crowd.
type walker struct {
	session *mcp.Session
	body    world.ID
}

// openAgents is a round of a crowd: each agent in turn perceives, decides by a function and acts,
// by typed calls through the whole pipeline, events and all. One call of the Runner is one round.
func openAgents() (Runner, error) {
	ctx := context.Background()
	e, err := engine.New(engine.Config{Seed: 1})
	if err != nil {
		return nil, err
	}
	crowd, err := populate(ctx, e)
	if err != nil {
		return nil, err
	}
	return caller{func() error {
		for _, w := range crowd {
			if err := w.turn(ctx, e.Mcp); err != nil {
				return err
			}
		}
		return nil
	}, func() {}}, nil
}

// populate fills the ground and gives each agent a body.
func populate(ctx context.Context, e *engine.Engine) ([]walker, error) {
	random := rand.New(rand.NewPCG(1, 2))
	spot := func() world.Vec3 {
		return world.Vec3{random.Float64() * crowdSide, 0, random.Float64() * crowdSide}
	}
	var crowd []walker
	for i := range crowdAgents {
		session, err := join(e, fmt.Sprintf("walker%d", i))
		if err != nil {
			return nil, err
		}
		at := spot()
		body, err := mcp.Invoke[agent.EmbodyIn, agent.EmbodyOut](ctx, e.Mcp, session, "agent.embody", agent.EmbodyIn{Position: &at})
		if err != nil {
			return nil, err
		}
		crowd = append(crowd, walker{session, body.Entity})
	}
	for range crowdEntities - crowdAgents {
		_, err := mcp.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, e.Mcp, crowd[0].session, "scene.createEntity",
			scene.CreateEntityIn{Shape: "box", Size: 1, Position: spot()})
		if err != nil {
			return nil, err
		}
	}
	return crowd, nil
}

// turn is one agent's turn: half a step away from the nearest thing if that is close, else half a
// step towards the farthest that it sees.
func (w walker) turn(ctx context.Context, m *mcp.Mcp) error {
	out, err := mcp.Invoke[agent.GetPerceptionIn, agent.GetPerceptionOut](ctx, m, w.session, "agent.getPerception", agent.GetPerceptionIn{})
	if err != nil {
		return err
	}
	p := out.Perception
	if p == nil || len(p.Seen) == 0 {
		return fmt.Errorf("%v perceives nothing", w.body)
	}
	to, pace := p.Seen[len(p.Seen)-1], 0.5
	if near := p.Seen[0]; near.Distance < 1.5 {
		to, pace = near, -0.5
	}
	next := p.Position
	for i := range next {
		next[i] += pace * (to.Position[i] - p.Position[i]) / max(to.Distance, 0.1)
	}
	_, err = mcp.Invoke[three.SetTransformIn, three.Done](ctx, m, w.session, "three.setTransform",
		three.SetTransformIn{Entity: w.body, Position: &next})
	return err
}
