package terrain

import (
	"fmt"
	"slices"
	"strings"
)

// Type is a kind of land.
type Type string

// The types.
const (
	Beach     Type = "beach"     // a coast: a flat shore at sea level between dunes and shallow water
	Mountains Type = "mountains" // ridges and valleys
	Forest    Type = "forest"    // soft ground, wet and mild
	Desert    Type = "desert"    // dunes in rows, hot and dry
	Plains    Type = "plains"    // almost flat
	Hills     Type = "hills"     // round hills
	Islands   Type = "islands"   // islands in the sea
)

// Types are all types, by name.
var Types = []Type{Beach, Desert, Forest, Hills, Islands, Mountains, Plains}

// Hints are the numbers of a land that are to be other than those of its type. What is nil is the type's.
type Hints struct {
	Relief      *float64 `json:"relief,omitempty" validate:"omitempty,gte=0,lte=200" jsonschema_description:"How high it goes up and down, in metres: mountains have 36, hills 12, plains 3."`
	FeatureSize *float64 `json:"featureSize,omitempty" validate:"omitempty,gte=10,lte=2000" jsonschema_description:"How far it is from one hill to the next, in metres."`
	Roughness   *float64 `json:"roughness,omitempty" validate:"omitempty,gte=0,lte=0.9" jsonschema_description:"How strong detail is: 0 is smooth, 0.5 rocky."`
	Ridges      *float64 `json:"ridges,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 has round tops, 1 sharp ridges."`
	Warp        *float64 `json:"warp,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"How much valleys wind."`
	Base        *float64 `json:"base,omitempty" validate:"omitempty,gte=-500,lte=500" jsonschema_description:"Metres by which all of it is higher; below 0, lower."`
	SeaLevel    *float64 `json:"seaLevel,omitempty" validate:"omitempty,gte=-1000,lte=1000" jsonschema_description:"Height of the water that the climate and plants go by, in metres. It does not make water; world.addWater does."`
	Temperature *float64 `json:"temperature,omitempty" validate:"omitempty,gte=-60,lte=60" jsonschema_description:"Mean temperature at sea level, in °C."`
	Rain        *float64 `json:"rain,omitempty" validate:"omitempty,gte=0,lte=10000" jsonschema_description:"Mean rain in a year, in mm."`
}

// Land is a land: what its heights and its climate are computed from. Two lands that are equal are the
// same everywhere. Lands are made by [New].
type Land struct {
	Seed        int64   `json:"seed"`
	Type        Type    `json:"type"`
	Relief      float64 `json:"relief"`
	FeatureSize float64 `json:"featureSize"`
	Roughness   float64 `json:"roughness"`
	Ridges      float64 `json:"ridges"`
	Warp        float64 `json:"warp"`
	Base        float64 `json:"base"`
	SeaLevel    float64 `json:"seaLevel"`
	Temperature float64 `json:"temperature"`
	Rain        float64 `json:"rain"`

	Works Works `json:"works,omitzero"` // what has been done to it since
}

// usual returns the land of a type without hints, at seed 0; false if there is no such type. Its sea level is yet
// in parts of the relief above the base.
func usual(t Type) (Land, bool) {
	switch t {
	case Beach:
		return Land{Relief: 7, FeatureSize: 130, Roughness: 0.35, Ridges: 0, Warp: 0.3, SeaLevel: 0, Temperature: 24, Rain: 700}, true
	case Mountains:
		return Land{Relief: 36, FeatureSize: 160, Roughness: 0.34, Ridges: 0.7, Warp: 0.35, SeaLevel: -0.22, Temperature: 5, Rain: 950}, true
	case Forest:
		return Land{Relief: 8, FeatureSize: 130, Roughness: 0.42, Ridges: 0.1, Warp: 0.4, SeaLevel: -0.5, Temperature: 12, Rain: 1150}, true
	case Desert:
		return Land{Relief: 6, FeatureSize: 90, Roughness: 0.3, Ridges: 0.7, Warp: 0.5, SeaLevel: -1.5, Temperature: 30, Rain: 110}, true
	case Plains:
		return Land{Relief: 3, FeatureSize: 170, Roughness: 0.38, Ridges: 0, Warp: 0.2, SeaLevel: -0.6, Temperature: 14, Rain: 620}, true
	case Hills:
		return Land{Relief: 12, FeatureSize: 110, Roughness: 0.4, Ridges: 0.15, Warp: 0.3, SeaLevel: -0.45, Temperature: 12, Rain: 820}, true
	case Islands:
		return Land{Relief: 14, FeatureSize: 150, Roughness: 0.45, Ridges: 0.2, Warp: 0.4, SeaLevel: 0, Temperature: 25, Rain: 1500}, true
	}
	return Land{}, false
}

// hint is one of the hints.
type hint struct {
	name   string
	lo, hi float64
	given  *float64
	value  *float64
}

func (l *Land) hints(h *Hints) []hint {
	return []hint{
		{"relief", 0, 200, h.Relief, &l.Relief},
		{"featureSize", 10, 2000, h.FeatureSize, &l.FeatureSize},
		{"roughness", 0, 0.9, h.Roughness, &l.Roughness},
		{"ridges", 0, 1, h.Ridges, &l.Ridges},
		{"warp", 0, 1, h.Warp, &l.Warp},
		{"base", -500, 500, h.Base, &l.Base},
		{"seaLevel", -1000, 1000, h.SeaLevel, &l.SeaLevel},
		{"temperature", -60, 60, h.Temperature, &l.Temperature},
		{"rain", 0, 10000, h.Rain, &l.Rain},
	}
}

// New returns the land of a seed and a type, with what the hints say otherwise; "" is [Hills]. Its errors
// name the field and what is allowed.
func New(seed int64, t Type, h Hints) (Land, error) {
	if t == "" {
		t = Hills
	}
	l, ok := usual(t)
	if !ok {
		names := make([]string, len(Types))
		for i, t := range Types {
			names[i] = string(t)
		}
		return Land{}, fmt.Errorf("type: must be one of %s, got %q", strings.Join(names, ", "), t)
	}
	l.Seed, l.Type = seed, t
	share := l.SeaLevel
	all := l.hints(&h)
	for _, one := range all {
		if one.given == nil {
			continue
		}
		if !(*one.given >= one.lo && *one.given <= one.hi) {
			return Land{}, fmt.Errorf("hints.%s: must be from %v to %v, got %v", one.name, one.lo, one.hi, *one.given)
		}
		*one.value = *one.given
	}
	if h.SeaLevel == nil {
		l.SeaLevel = l.Base + float64(share*l.Relief)
	}
	return l, nil
}

// Valid reports whether l is a land that New makes, or one with other numbers that hints could have given
// it: the heights of others are not to be asked for.
func (l Land) Valid() bool {
	for _, one := range l.hints(&Hints{}) {
		if !(*one.value >= one.lo && *one.value <= one.hi) {
			return false
		}
	}
	return slices.Contains(Types, l.Type)
}
