package animation

import (
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Cue is what an action of a zone, a listener or a timeline has an entity play: a clip, or what its state machine is told.
type Cue struct {
	ClipID       string  `json:"clipId,omitempty" validate:"omitempty,max=128"`
	Layer        int     `json:"layer" validate:"gte=-1000,lte=1000" jsonschema:"default=0"`
	Weight       float64 `json:"weight" validate:"gte=0,lte=1" jsonschema:"default=1"`
	Speed        float64 `json:"speed" validate:"gte=-1000,lte=1000" jsonschema:"default=1"`
	Loop         bool    `json:"loop" jsonschema:"default=true"`
	FadeDuration float64 `json:"fadeDuration" validate:"gte=0,lte=3600" jsonschema:"default=0"`

	Param string  `json:"param,omitempty" validate:"omitempty,max=128"`
	Value *Scalar `json:"value,omitempty"`
	State string  `json:"state,omitempty" validate:"omitempty,max=128"`
}

// IsCue reports whether an object says something that a [Cue] does.
func IsCue(data registry.Object) bool {
	for _, name := range []string{"clipId", "param", "state"} {
		if len(data) > 0 && wire.Member(data, name) != nil {
			return true
		}
	}
	return false
}

// Wrong says what is wrong with a cue, "" if nothing.
func (q *Cue) Wrong() string {
	said := 0
	for _, s := range []string{q.ClipID, q.Param, q.State} {
		if s != "" {
			said++
		}
	}
	switch {
	case said != 1:
		return "say one of clipId, param with value, and state"
	case (q.Param == "") != (q.Value == nil):
		return "param and value go together"
	}
	return ""
}

// Cue has an entity play, in a step or a call, what a cue of an agent's says.
func (c *Clips) Cue(tx *world.Tx, by string, id world.ID, q *Cue) error {
	if q.ClipID != "" {
		found, err := c.find(&tx.View, "clipId", q.ClipID)
		if err != nil {
			return err
		}
		if err := c.intrudes(&tx.View, by, id, q.ClipID, &found); err != nil {
			return err
		}
		return c.begin(tx, id, Part{Clip: q.ClipID, Layer: q.Layer, Weight: q.Weight, Speed: q.Speed, Loop: q.Loop}, c.steps(q.FadeDuration))
	}
	m, err := c.machineOf(&tx.View, id)
	if err != nil {
		return err
	}
	if q.Param != "" {
		return c.tune(tx, id, m, "param", q.Param, *q.Value)
	}
	return c.send(tx, id, m, q.State)
}
