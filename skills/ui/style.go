package ui

import "cmp"

// Style is how a panel looks. What is absent is the viewer's to choose. Lengths are in panel pixels,
// one of which is pixelScale large.
type Style struct {
	Background *Background `json:"background,omitempty" jsonschema_description:"What is behind the text."`
	Border     *Border     `json:"border,omitempty" jsonschema_description:"The line around the panel."`
	Title      *TitleStyle `json:"title,omitempty" jsonschema_description:"The bar with the title."`
	Text       *TextStyle  `json:"text,omitempty" jsonschema_description:"The text and the lines."`
	Padding    *Padding    `json:"padding,omitempty" jsonschema_description:"Space between border and text: one number, or the four sides."`
	MaxWidth   float64     `json:"maxWidth,omitempty" validate:"gt=0" jsonschema_description:"Text wraps at this width, in panel pixels."`
	Width      float64     `json:"width,omitempty" validate:"gt=0" jsonschema_description:"Exact width in panel pixels."`
	MinWidth   float64     `json:"minWidth,omitempty" validate:"gt=0" jsonschema_description:"Least width in panel pixels."`
	Height     float64     `json:"height,omitempty" validate:"gt=0" jsonschema_description:"Exact height in panel pixels."`
	MaxLines   int         `json:"maxLines,omitempty" validate:"gt=0" jsonschema_description:"Lines beyond this many are not shown."`
	NoWrap     *bool       `json:"noWrap,omitempty" jsonschema_description:"Do not wrap long lines."`
	Shadow     *Shadow     `json:"shadow,omitempty" jsonschema_description:"The shadow that the panel casts on what is behind it."`
	Gradient   *Gradient   `json:"gradient,omitempty" jsonschema_description:"A background that goes from one colour to another."`
	Runs       []Run       `json:"runs,omitzero" jsonschema_description:"The text in pieces of their own colour and size, in reading order; shown in the place of text."`
}

// Background is a panel's plain background.
type Background struct {
	Color   Color    `json:"color" jsonschema_description:"Its colour."`
	Opacity *float64 `json:"opacity,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is invisible, 1 is solid."`
}

// Border is the line around a panel.
type Border struct {
	Width  float64  `json:"width" validate:"gte=0" jsonschema_description:"Thickness in panel pixels."`
	Color  Color    `json:"color" jsonschema_description:"Its colour."`
	Radius *float64 `json:"radius,omitempty" validate:"gte=0" jsonschema_description:"Radius of the corners in panel pixels; 0 is square."`
}

// TitleStyle is how the title bar looks.
type TitleStyle struct {
	Color      *Color   `json:"color,omitempty" jsonschema_description:"Colour of the letters."`
	Background *Color   `json:"background,omitempty" jsonschema_description:"Colour of the bar."`
	Opacity    *float64 `json:"opacity,omitempty" validate:"gte=0,lte=1" jsonschema_description:"Of the bar: 0 is invisible, 1 is solid."`
	Height     *float64 `json:"height,omitempty" validate:"gte=0" jsonschema_description:"Height of the bar in panel pixels."`
	Align      string   `json:"align,omitempty" validate:"oneof=left center right" jsonschema_description:"Where the title stands in the bar."`
	Scale      int      `json:"scale,omitempty" validate:"gte=1" jsonschema_description:"Size of the letters, as a multiple of the smallest."`
}

// TextStyle is how the text looks.
type TextStyle struct {
	Color         *Color   `json:"color,omitempty" jsonschema_description:"Colour of the letters."`
	Scale         int      `json:"scale,omitempty" validate:"gte=1" jsonschema_description:"Size of the letters, as a multiple of the smallest."`
	Align         string   `json:"align,omitempty" validate:"oneof=left center right" jsonschema_description:"Where each line stands."`
	LineHeight    float64  `json:"lineHeight,omitempty" validate:"gt=0" jsonschema_description:"Distance from line to line, as a multiple of the letters' height."`
	LetterSpacing *float64 `json:"letterSpacing,omitempty" validate:"gte=0" jsonschema_description:"Extra space between letters in panel pixels."`
}

// Shadow is the shadow behind a panel.
type Shadow struct {
	Color   *Color   `json:"color,omitempty" jsonschema_description:"Its colour."`
	OffsetX *float64 `json:"offsetX,omitempty" jsonschema_description:"How far it lies to the right, in panel pixels."`
	OffsetY *float64 `json:"offsetY,omitempty" jsonschema_description:"How far it lies down, in panel pixels."`
	Blur    *float64 `json:"blur,omitempty" validate:"gte=0" jsonschema_description:"How soft its edge is, in panel pixels."`
	Opacity *float64 `json:"opacity,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is invisible, 1 is solid."`
}

// Gradient is a background of two colours.
type Gradient struct {
	From      Color    `json:"from" jsonschema_description:"Colour at the top or the left."`
	To        Color    `json:"to" jsonschema_description:"Colour at the bottom or the right."`
	Direction string   `json:"direction,omitempty" validate:"oneof=vertical horizontal" jsonschema_description:"Which way it goes."`
	Opacity   *float64 `json:"opacity,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is invisible, 1 is solid."`
}

// Run is a piece of text in a look of its own.
type Run struct {
	Text  string `json:"text" jsonschema_description:"The piece."`
	Color *Color `json:"color,omitempty" jsonschema_description:"Its colour."`
	Scale int    `json:"scale,omitempty" validate:"gte=1" jsonschema_description:"Size of its letters, as a multiple of the smallest."`
}

// over returns s with the members that top has in the place of its own.
func (s *Style) over(top *Style) *Style {
	if s == nil || top == nil {
		return cmp.Or(top, s)
	}
	out := *s
	replace(&out.Background, top.Background)
	replace(&out.Border, top.Border)
	replace(&out.Title, top.Title)
	replace(&out.Text, top.Text)
	replace(&out.Padding, top.Padding)
	replace(&out.MaxWidth, top.MaxWidth)
	replace(&out.Width, top.Width)
	replace(&out.MinWidth, top.MinWidth)
	replace(&out.Height, top.Height)
	replace(&out.MaxLines, top.MaxLines)
	replace(&out.NoWrap, top.NoWrap)
	replace(&out.Shadow, top.Shadow)
	replace(&out.Gradient, top.Gradient)
	if top.Runs != nil {
		out.Runs = top.Runs
	}
	return &out
}

// replace stores v in dst unless it is zero, which is how a member that was not given looks.
func replace[T comparable](dst *T, v T) {
	var none T
	if v != none {
		*dst = v
	}
}
