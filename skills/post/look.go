package post

import (
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// Look says what is done to pictures. A part that is zero is not done; one that is done has Enabled.
type Look struct {
	AO    AO    `json:"ao,omitzero"`
	Bloom Bloom `json:"bloom,omitzero"`
	Grade Grade `json:"grade,omitzero"`
}

// AO is ambient occlusion, see [render.AO].
type AO struct {
	Enabled          bool    `json:"enabled" jsonschema:"default=true" jsonschema_description:"false leaves it out."`
	Radius           float64 `json:"radius" validate:"gte=0.01,lte=10" jsonschema:"default=0.5" jsonschema_description:"How far things darken each other, in metres."`
	Scale            float64 `json:"scale" validate:"gte=0,lte=4" jsonschema:"default=1" jsonschema_description:"How much light they take from each other."`
	DistanceExponent float64 `json:"distanceExponent" validate:"gte=0,lte=8" jsonschema:"default=1" jsonschema_description:"How fast that falls off with the distance: 0 not at all within the radius, 1 evenly, 2 and more keeps it to the corner itself."`
	Thickness        float64 `json:"thickness" validate:"gt=0,lte=100" jsonschema:"default=1" jsonschema_description:"What is nearer to the camera by more metres than this does not darken what is behind it."`
	Samples          int     `json:"samples" validate:"gte=1,lte=64" jsonschema:"default=16" jsonschema_description:"How many places are looked at about each: more is smoother and slower."`
	ResolutionScale  float64 `json:"resolutionScale" validate:"gte=0.25,lte=1" jsonschema:"default=0.5" jsonschema_description:"Of how many pixels each way it is computed: 1 all, 0.5 every second, which is four times as fast."`
	Intensity        float64 `json:"intensity" validate:"gte=0,lte=1" jsonschema:"default=1" jsonschema_description:"How much of it shows."`
}

// Bloom is a shine about what is bright, see [render.Bloom].
type Bloom struct {
	Enabled   bool    `json:"enabled" jsonschema:"default=true" jsonschema_description:"false leaves it out."`
	Strength  float64 `json:"strength" validate:"gte=0,lte=4" jsonschema:"default=0.6" jsonschema_description:"How strong the shine is."`
	Radius    float64 `json:"radius" validate:"gte=0,lte=1" jsonschema:"default=0.4" jsonschema_description:"How far it spreads: 1 is a sixteenth of the picture's height, and fainter to about twice that."`
	Threshold float64 `json:"threshold" validate:"gte=0,lte=1" jsonschema:"default=0.9" jsonschema_description:"How bright something has to be to shine: the strongest of its red, green and blue on the screen, from 0 to 1."`
}

// Grade is a change of all colours, see [render.Grade].
type Grade struct {
	Enabled    bool    `json:"enabled" jsonschema:"default=true" jsonschema_description:"false leaves it out."`
	Exposure   float64 `json:"exposure" validate:"gte=0,lte=8" jsonschema:"default=1" jsonschema_description:"What brightness is multiplied by: 1 leaves it, 0.5 is half as bright."`
	Contrast   float64 `json:"contrast" validate:"gte=0,lte=4" jsonschema:"default=1.1" jsonschema_description:"How far apart bright and dark are, about a middle grey: 1 leaves them."`
	Saturation float64 `json:"saturation" validate:"gte=0,lte=4" jsonschema:"default=1.15" jsonschema_description:"How colourful it is: 1 leaves it, 0 is black and white."`
}

// Defaults returns the look that a call without members gives.
func Defaults() Look {
	return Look{
		AO:    AO{Enabled: true, Radius: 0.5, Scale: 1, DistanceExponent: 1, Thickness: 1, Samples: 16, ResolutionScale: 0.5, Intensity: 1},
		Bloom: Bloom{Enabled: true, Strength: 0.6, Radius: 0.4, Threshold: 0.9},
		Grade: Grade{Enabled: true, Exposure: 1, Contrast: 1.1, Saturation: 1.15},
	}
}

// Look returns what is done to pictures.
func (p *Post) Look(v *world.View) Look { return p.look.Get(v) }

// Render returns the same for package render.
func (l *Look) Render() (out render.Post) {
	if a := &l.AO; a.Enabled {
		out.AO = &render.AO{
			Radius: a.Radius, Scale: a.Scale, DistanceExponent: a.DistanceExponent, Thickness: a.Thickness,
			Samples: a.Samples, ResolutionScale: a.ResolutionScale, Intensity: a.Intensity,
		}
	}
	if b := &l.Bloom; b.Enabled {
		out.Bloom = &render.Bloom{Strength: b.Strength, Radius: b.Radius, Threshold: b.Threshold}
	}
	if g := &l.Grade; g.Enabled {
		out.Grade = &render.Grade{Exposure: g.Exposure, Contrast: g.Contrast, Saturation: g.Saturation}
	}
	return out
}
