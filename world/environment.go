package world

import "encoding/json"

// Environment is what the whole world has: globals, under the names in their JSON.
type Environment struct {
	Time      *Global[Time]     // "time"
	Weather   *Global[Weather]  // "weather"
	TimeScale *Global[float64]  // "timeScale": simulated seconds in a second
	Spawn     *Global[Vec3]     // "spawn": where those who come in stand
	SpawnOnly *Global[bool]     // "spawn.only", private: whether who only plays comes in nowhere else
	Lighting  *Global[Lighting] // "lighting"
	Sky       *Global[Sky]      // "world.sky"
}

// Time is the time of day.
type Time struct {
	Hour         float64 `json:"hour"`                   // 0 to 24
	TransitionMs float64 `json:"transitionMs,omitempty"` // how long viewers take to get there
}

// Weather is the weather.
type Weather struct {
	Kind      string          `json:"kind"`      // "clear", "rain", "snow", "fog", "storm", "custom"
	Intensity float64         `json:"intensity"` // 0 to 1
	Config    json.RawMessage `json:"config,omitempty"`
}

// Sky is what is behind and under everything.
type Sky struct {
	Kind string `json:"kind"`           // "air": by the time of day and the weather; "space": black, with stars
	Bare bool   `json:"bare,omitempty"` // there is no level ground at height 0, but what was made
}

// Lighting is the light that is everywhere and the sun.
type Lighting struct {
	AmbientColor         uint32  `json:"ambientColor"`
	AmbientIntensity     float64 `json:"ambientIntensity"`
	DirectionalColor     uint32  `json:"directionalColor"`
	DirectionalIntensity float64 `json:"directionalIntensity"`
	Direction            Vec3    `json:"direction"` // where the sun is, seen from the origin
	CastShadow           bool    `json:"castShadow"`
	ShadowMapSize        int     `json:"shadowMapSize"`
	ShadowCameraExtent   float64 `json:"shadowCameraExtent"`
	ShadowCameraNear     float64 `json:"shadowCameraNear"`
	ShadowCameraFar      float64 `json:"shadowCameraFar"`
	ShadowBias           float64 `json:"shadowBias"`
}

// DefaultLighting is the lighting of a new world, and what is meant where a caller leaves a part out.
func DefaultLighting() Lighting {
	return Lighting{
		AmbientColor: 0x404060, AmbientIntensity: 1.2,
		DirectionalColor: 0xffffff, DirectionalIntensity: 3, Direction: Vec3{5, 9, 6},
		ShadowMapSize: 2048, ShadowCameraExtent: 20, ShadowCameraNear: 0.5, ShadowCameraFar: 120,
		ShadowBias: -0.0008,
	}
}

func newEnvironment(w *World) Environment {
	return Environment{
		Time:      NewGlobal(w, "time", Time{Hour: 12}),
		Weather:   NewGlobal(w, "weather", Weather{Kind: "clear"}),
		TimeScale: NewGlobal(w, "timeScale", 1.0),
		Spawn:     NewGlobal(w, "spawn", Vec3{}),
		SpawnOnly: NewGlobal(w, "spawn.only", false, Private),
		Lighting:  NewGlobal(w, "lighting", DefaultLighting()),
		Sky:       NewGlobal(w, "world.sky", Sky{Kind: "air"}),
	}
}
