package ui

import "math"

// Lifecycle is how a panel comes, changes by itself and goes. The server ends it after its TTL;
// everything else is for viewers to play.
type Lifecycle struct {
	Fade       *Fade       `json:"fade,omitempty" jsonschema_description:"How the panel's opacity changes when it appears."`
	Typewriter *Typewriter `json:"typewriter,omitempty" jsonschema_description:"Show the text letter by letter."`
	TTL        float64     `json:"ttl,omitempty" validate:"gt=0" jsonschema_description:"Remove the panel after this many simulation steps; 60 are one second. Without it the panel stays."`
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

// end returns the step that removes a panel which appears at step now, 0 if it stays.
func (l *Lifecycle) end(now uint64) uint64 {
	if l == nil || l.TTL <= 0 {
		return 0
	}
	const forever = 1 << 53 // five million years
	if l.TTL >= forever {
		return 0
	}
	return now + uint64(math.Ceil(l.TTL))
}
