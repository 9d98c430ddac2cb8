package vfx

import (
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/world"
)

// Color is red, green, blue and opacity, each from 0 to 1; what is beyond is drawn as if it were at the end.
type Color [4]float64

// Config says what particles of an emitter are like.
type Config struct {
	MaxParticles int             `json:"maxParticles" validate:"gte=1,lte=10000" jsonschema:"default=100" jsonschema_description:"How many live at a time, at most; it emits so much less often that there are never more."`
	Lifetime     float64         `json:"lifetime" validate:"gt=0" jsonschema:"default=2" jsonschema_description:"How long each lives, in seconds; a simulation step at least."`
	EmissionRate float64         `json:"emissionRate" validate:"gte=0" jsonschema:"default=10" jsonschema_description:"How many are emitted in a second."`
	StartColor   Color           `json:"startColor" jsonschema:"default=1 1 1 1" jsonschema_description:"Red, green, blue, opacity, from 0 to 1, at first: [1,0.6,0.1,1] is fire."`
	EndColor     Color           `json:"endColor" jsonschema:"default=1 1 1 0" jsonschema_description:"The same at the end of its life."`
	StartSize    float64         `json:"startSize" validate:"gt=0" jsonschema:"default=0.1" jsonschema_description:"How large one is at first, in metres across."`
	EndSize      float64         `json:"endSize" validate:"gt=0" jsonschema:"default=0.01" jsonschema_description:"How large it is at the end."`
	StartSpeed   float64         `json:"startSpeed" jsonschema:"default=1" jsonschema_description:"How fast it goes at first, in metres a second."`
	Gravity      float64         `json:"gravity" jsonschema:"default=-9.8" jsonschema_description:"How much faster it goes up each second, in metres a second squared: -9.8 falls, 0 goes straight on, 1 rises like smoke."`
	Spread       float64         `json:"spread" validate:"gte=0,lte=360" jsonschema:"default=30" jsonschema_description:"How far apart directions are, in degrees from edge to edge, about the emitter's y axis: 0 is straight up, 360 all around."`
	Shape        string          `json:"shape" validate:"oneof=sphere cone box point" jsonschema:"default=sphere" jsonschema_description:"Where they begin: in a ball, on a disc from which they lean outwards, in a box, or at the point itself."`
	BlendMode    string          `json:"blendMode" validate:"oneof=additive alpha multiply" jsonschema:"default=additive" jsonschema_description:"additive glows like fire, alpha covers like smoke, multiply darkens."`
	Extra        registry.Object `json:"config,omitempty" jsonschema_description:"position [x,y,z]: where it is until it is attached, the origin if left out. radius: of the ball, disc or box in metres, 0.25 if left out. The rest is handed to viewers as it is."`
}

// radius is how large shapes are where nothing else is said, in metres.
const radius = 0.25

var (
	shapes = []string{"sphere", "cone", "box", "point"}
	blends = []string{"additive", "alpha", "multiply"}
)

// reader reads the members of a free object that are known, and keeps the first error.
type reader struct {
	field string
	from  registry.Object
	err   error
}

// read reads a member into v, if it is there.
func read[T any](r *reader, name string, v *T) {
	if r.err == nil {
		_, r.err = config.Read(r.field, r.from, name, v)
	}
}

// number reads a number from lo on to hi.
func (r *reader) number(name string, v *float64, lo, hi float64) {
	read(r, name, v)
	if r.err == nil && (*v < lo || *v > hi) {
		r.err = registry.Invalidf("%s.%s: must be from %v to %v, got %v", r.field, name, lo, hi, *v)
	}
}

// word reads one of some words.
func (r *reader) word(name string, v *string, words []string) {
	read(r, name, v)
	if r.err == nil && !slices.Contains(words, *v) {
		r.err = registry.Invalidf("%s.%s: must be one of %s, got %q", r.field, name, strings.Join(words, ", "), *v)
	}
}

// extra reads what the config of a config says: where an emitter is, and how large its shape.
func (c *Config) extra() (at world.Vec3, size float64, err error) {
	if err := config.Fits("config.config", len(c.Extra), MaxConfig); err != nil {
		return at, 0, err
	}
	r := reader{field: "config.config", from: c.Extra}
	size = radius
	read(&r, "position", &at)
	r.number("radius", &size, 0, world.MaxNumber)
	return at, size, r.err
}
