package ui

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Lifecycle is how a panel comes, changes by itself and goes. The server ends it after its time;
// everything else is for viewers to play.
type Lifecycle struct {
	Fade       *Fade       `json:"fade,omitempty" jsonschema_description:"How the panel's opacity changes when it appears."`
	Typewriter *Typewriter `json:"typewriter,omitempty" jsonschema_description:"Show the text letter by letter."`
	Seconds    float64     `json:"ttlSeconds,omitempty" validate:"gt=0" jsonschema_description:"Simulated seconds until it goes."`
	TTL        float64     `json:"ttl,omitempty" validate:"gt=0" jsonschema_description:"Or steps of 1/60 s."`
	Queue      *Queue      `json:"queue,omitempty" jsonschema_description:"Show one line after the other."`
	Feed       *Feed       `json:"feed,omitempty" jsonschema_description:"Show the newest lines only, as a chat does."`
}

// Fade is a change of opacity.
type Fade struct {
	From       *float64 `json:"from,omitempty" validate:"gte=0,lte=1" jsonschema_description:"Opacity at first."`
	To         *float64 `json:"to,omitempty" validate:"gte=0,lte=1" jsonschema_description:"Opacity in the end."`
	DurationMs float64  `json:"durationMs" validate:"gt=0" jsonschema_description:"How long it takes, in milliseconds."`
}

// Typewriter shows text letter by letter.
type Typewriter struct {
	CPS float64 `json:"cps" validate:"gt=0" jsonschema_description:"Letters a second."`
}

// Queue shows lines one after the other.
type Queue struct {
	Mode          string   `json:"mode,omitempty" validate:"oneof=queue replace" jsonschema_description:"queue waits for the line before, replace cuts it short."`
	DefaultHoldMs float64  `json:"defaultHoldMs,omitempty" validate:"gt=0" jsonschema_description:"How long a line stays, in milliseconds."`
	Lines         []string `json:"lines,omitempty" jsonschema_description:"The lines, in order."`
}

// Feed shows the newest lines.
type Feed struct {
	MaxLines int `json:"maxLines" validate:"gte=1,lte=64" jsonschema_description:"How many lines are shown."`
}

// check reports what is wrong with a lifecycle that is well formed.
func (l *Lifecycle) check() error {
	if l != nil && l.TTL > 0 && l.Seconds > 0 {
		return registry.Invalidf("lifecycle.ttl, lifecycle.ttlSeconds: give one of the two; ttl counts simulation steps")
	}
	return nil
}

// end returns the step that removes a panel which appears now, 0 if it stays.
func (l *Lifecycle) end(w *world.World, now uint64) uint64 {
	const forever = 1 << 53 // five million years
	switch {
	case l == nil:
		return 0
	case l.Seconds > 0:
		if steps := w.StepsIn(l.Seconds); steps < forever {
			return now + steps
		}
	case l.TTL > 0 && l.TTL < forever:
		return now + uint64(math.Ceil(l.TTL))
	}
	return 0
}
