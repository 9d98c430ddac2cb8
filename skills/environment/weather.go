package environment

import (
	"bytes"
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/world"
)

// MaxConfig is how many bytes the config of a weather may have: every viewer gets it.
const MaxConfig = 16 << 10

// SetWeatherIn is the input of world.setWeather.
type SetWeatherIn struct {
	Weather   string          `json:"weather" validate:"oneof=clear rain snow fog storm custom" jsonschema_description:"Kind of weather; custom is what config says."`
	Intensity float64         `json:"intensity" validate:"gte=0,lte=1" jsonschema:"default=1" jsonschema_description:"How strong it is: 0 is hardly any, 1 is full."`
	Config    registry.Object `json:"config,omitempty" jsonschema_description:"Handed to viewers as it is: wind, colours, whatever they understand."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event world.weatherSet."`
}

// SetWeather is world.setWeather.
func SetWeather(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetWeatherIn, Done]{
		Name:  "world.setWeather",
		Title: "Set the weather",
		Description: "Set the weather of the whole world for everybody, at once: clear, rain, snow, fog, storm or custom, in place of what there was. For light use three.setLighting, for the hour world.setTime. " +
			`Example: {"weather":"rain","intensity":0.4}`,
		Keywords:    "rain snow fog storm thunder lightning winter cloud sky",
		Permissions: []profiles.Permission{"world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetWeatherIn) (Done, error) {
			if err := config.Fits("config", len(in.Config), MaxConfig); err != nil {
				return Done{}, err
			}
			weather := world.Weather{Kind: in.Weather, Intensity: in.Intensity, Config: json.RawMessage(in.Config)}
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				if !same(weather, w.Environment.Weather.Get(&tx.View)) {
					if err := w.Environment.Weather.Set(tx, weather); err != nil {
						return Done{}, err
					}
				}
				return Done{OK: true}, c.Emit(EventWeather, weatherSet{in.Weather, in.Intensity, in.Meta})
			})
		},
	})
}

func same(a, b world.Weather) bool {
	return a.Kind == b.Kind && a.Intensity == b.Intensity && bytes.Equal(a.Config, b.Config)
}

// weatherSet is the payload of world.weatherSet; the config is in the world.
type weatherSet struct {
	Weather   string          `json:"weather"`
	Intensity float64         `json:"intensity"`
	Meta      registry.Object `json:"meta,omitempty"`
}
