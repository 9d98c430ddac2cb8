package ui

import (
	"encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// Color is a colour and how opaque it is. Callers write it as the number 0xRRGGBB, which is opaque,
// or as {r, g, b, a}. The state has the second form only.
type Color struct{ R, G, B, A uint8 }

// channels is the second form.
type channels struct {
	R uint8 `json:"r" validate:"gte=0,lte=255" jsonschema_description:"Red."`
	G uint8 `json:"g" validate:"gte=0,lte=255" jsonschema_description:"Green."`
	B uint8 `json:"b" validate:"gte=0,lte=255" jsonschema_description:"Blue."`
	A uint8 `json:"a" validate:"gte=0,lte=255" jsonschema_description:"Opacity: 0 is invisible, 255 is solid."`
}

const maxRGB = 0xFFFFFF

// RGB returns the opaque colour 0xRRGGBB.
func RGB(n uint32) Color {
	return Color{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}

// UnmarshalJSON takes either form.
func (c *Color) UnmarshalJSON(data []byte) error {
	switch {
	case startsNumber(data):
		return c.readNumber(data)
	case data[0] == '{':
		return wire.PlanOf[channels]().Decode(data, (*channels)(c))
	}
	return problem("%s%s", mismatch(data, c.JSONWords()), wire.ColorHint(data))
}

// JSONWords says what a color is.
func (Color) JSONWords() string { return "an integer from 0 to 16777215 or an object {r, g, b, a}" }

func (c *Color) readNumber(data []byte) error {
	var n int64
	if err := wire.PlanOf[int64]().Decode(data, &n); err != nil || n < 0 || n > maxRGB {
		return problem("must be an integer from 0 to %d (0xFFFFFF), got %s", maxRGB, quote.Clip(string(data)))
	}
	*c = RGB(uint32(n))
	return nil
}

// MarshalJSON writes {r, g, b, a}.
func (c Color) MarshalJSON() ([]byte, error) { return json.Marshal(channels(c)) }

// JSONSchema describes both forms.
func (Color) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{
			Type: "integer", Minimum: "0", Maximum: json.Number(strconv.Itoa(maxRGB)),
			Description: "0xRRGGBB as a number; 16711680 is red.",
		},
		branch[channels]("For what is see-through."),
	}}
}
