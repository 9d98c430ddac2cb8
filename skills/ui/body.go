package ui

import "reflect"

// Body is what all panels take: where they are, what they say and how they look. Of the members that
// style has too (maxWidth, width, maxLines), those here win. A panel keeps what its Body points to, so
// that must not be changed afterwards.
type Body struct {
	Anchor     Anchor     `json:"anchor" jsonschema_description:"Where the panel is: {kind:\"world\", entity} stays at an entity, {kind:\"world\", point} at a place, {kind:\"screen\", corner} on the screen."`
	Style      *Style     `json:"style,omitempty" jsonschema_description:"How the panel looks. What is left out is up to the viewer, which has a good default for every kind of panel."`
	Text       string     `json:"text,omitempty" jsonschema_description:"The text; it wraps. In texts {counter:coins} and {timer:limit} show a counter and a timer of the game, and {stat:hp@ent_3} a stat of an entity, as they are at any time."`
	Title      string     `json:"title,omitempty" jsonschema_description:"The title, shown above the text."`
	Lines      []string   `json:"lines,omitempty" jsonschema_description:"Further lines, one below the other, shown below the text."`
	MaxWidth   float64    `json:"maxWidth,omitempty" validate:"gt=0" jsonschema_description:"Text wraps at this width, in panel pixels."`
	Width      float64    `json:"width,omitempty" validate:"gt=0" jsonschema_description:"Exact width in panel pixels."`
	MaxLines   int        `json:"maxLines,omitempty" validate:"gt=0" jsonschema_description:"Lines beyond this many are not shown."`
	PixelScale float64    `json:"pixelScale,omitempty" validate:"gt=0" jsonschema_description:"Size of a panel pixel: in metres in the world, in screen pixels on the screen."`
	Tail       *Tail      `json:"tail,omitempty" jsonschema_description:"What comes out of a bubble towards whoever speaks or thinks."`
	Leader     *Leader    `json:"leader,omitempty" jsonschema_description:"The line from a callout to what it is about. A callout without one gets a line straight down."`
	Lifecycle  *Lifecycle `json:"lifecycle,omitempty" jsonschema_description:"How the panel appears, changes by itself and goes."`
}

// tidy leaves out what is empty, so that panels that say the same are equal.
func (b *Body) tidy() {
	if len(b.Lines) == 0 {
		b.Lines = nil
	}
	if b.Style == nil {
		return
	}
	style := *b.Style
	if len(style.Runs) == 0 {
		style.Runs = nil
	}
	b.Style = &style
	if reflect.ValueOf(style).IsZero() {
		b.Style = nil
	}
}

// size is how many bytes of text the panel would keep; each piece counts some for itself.
func (b *Body) size() int {
	const perPiece = 16
	n := len(b.Text) + len(b.Title)
	for _, l := range b.Lines {
		n += perPiece + len(l)
	}
	if b.Style != nil {
		for _, r := range b.Style.Runs {
			n += perPiece + len(r.Text)
		}
	}
	if b.Lifecycle != nil && b.Lifecycle.Queue != nil {
		for _, l := range b.Lifecycle.Queue.Lines {
			n += perPiece + len(l)
		}
	}
	return n
}
