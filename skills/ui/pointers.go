package ui

// Tail is what comes out of a bubble towards whoever speaks.
type Tail struct {
	Toward *Toward `json:"toward,omitempty" jsonschema_description:"Where its tip is, seen from the middle of the panel."`
	Side   string  `json:"side,omitempty" validate:"oneof=top bottom left right" jsonschema_description:"Side of the panel that it comes out of."`
	Count  int     `json:"count,omitempty" validate:"gte=1,lte=8" jsonschema_description:"How many puffs the trail of a thought bubble has."`
	Length float64 `json:"length,omitempty" validate:"gt=0" jsonschema_description:"Its length in panel pixels."`
	Base   float64 `json:"base,omitempty" validate:"gt=0" jsonschema_description:"Its width at the panel, in panel pixels."`
}

// Toward is a place as a panel sees it: x to the right, y down, in panel pixels.
type Toward struct {
	X float64 `json:"x" jsonschema_description:"To the right, in panel pixels."`
	Y float64 `json:"y" jsonschema_description:"Down, in panel pixels."`
}

// Leader is the line from a callout to what it is about.
type Leader struct {
	DX     float64  `json:"dx" jsonschema_description:"How far to the right of its start the line ends, in panel pixels."`
	DY     float64  `json:"dy" jsonschema_description:"How far below its start the line ends, in panel pixels."`
	Side   string   `json:"side,omitempty" validate:"oneof=top bottom left right" jsonschema_description:"Side of the panel that the line starts at."`
	Offset *float64 `json:"offset,omitempty" validate:"gte=0,lte=1" jsonschema_description:"Where on that side: 0 is its beginning (left or top), 1 its end."`
	Width  float64  `json:"width,omitempty" validate:"gt=0" jsonschema_description:"Thickness of the line in panel pixels."`
	Color  *Color   `json:"color,omitempty" jsonschema_description:"Its colour."`
	Dot    *float64 `json:"dot,omitempty" validate:"gte=0" jsonschema_description:"Radius of the dot at its end in panel pixels; 0 is none."`
}

// defaultLeader is the line of a callout that says nothing of one: from the middle of its lower
// side straight down.
func defaultLeader() *Leader {
	middle := 0.5
	return &Leader{DY: 48, Side: "bottom", Offset: &middle}
}
