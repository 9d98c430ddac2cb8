package ui

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// Padding is the space between a panel's border and its text. Callers write one number for all
// sides, or the four sides. The state has the second form only.
type Padding struct{ Top, Right, Bottom, Left float64 }

// sides is the second form.
type sides struct {
	Top    float64 `json:"top" validate:"gte=0" jsonschema_description:"Space above the text, in panel pixels."`
	Right  float64 `json:"right" validate:"gte=0" jsonschema_description:"Space to the right of the text, in panel pixels."`
	Bottom float64 `json:"bottom" validate:"gte=0" jsonschema_description:"Space below the text, in panel pixels."`
	Left   float64 `json:"left" validate:"gte=0" jsonschema_description:"Space to the left of the text, in panel pixels."`
}

// UnmarshalJSON takes either form.
func (p *Padding) UnmarshalJSON(data []byte) error {
	switch {
	case startsNumber(data):
		return p.readNumber(data)
	case data[0] == '{':
		return wire.PlanOf[sides]().Decode(data, (*sides)(p))
	}
	return mismatch(data, p.JSONWords())
}

// JSONWords says what a padding is.
func (Padding) JSONWords() string { return "a number or an object {top, right, bottom, left}" }

func (p *Padding) readNumber(data []byte) error {
	var all float64
	if err := wire.PlanOf[float64]().Decode(data, &all); err != nil {
		return err
	}
	if all < 0 {
		return problem("must be at least 0, got %s", quote.Clip(string(data)))
	}
	*p = Padding{all, all, all, all}
	return nil
}

// Check says what is wrong with a padding that Go code made.
func (p Padding) Check() error {
	s := sides(p)
	return wire.PlanOf[sides]().Check(&s)
}

// MarshalJSON writes {top, right, bottom, left}.
func (p Padding) MarshalJSON() ([]byte, error) { return json.Marshal(sides(p)) }

// JSONSchema describes both forms.
func (Padding) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{
			Type: "number", Minimum: "0", Maximum: "3.4e38",
			Description: "The same space on all sides, in panel pixels.",
		},
		branch[sides]("Each side by itself."),
	}}
}
