package audio

import "github.com/limina-mcp/limina/registry"

// Types of the events that the skills append to the trace. What a caller gave as meta is in their
// payload under that key and nowhere else.
const (
	EventStarted = "audio.started"   // {handle, skill, meta?}
	EventStopped = "audio.stopped"   // {handle}
	EventVolume  = "audio.volumeSet" // {handle, volume}
	EventBus     = "audio.busSet"    // {bus, volume}
	EventMusic   = "audio.musicSet"  // {trackId, volume, loop, meta?}; trackId "" for none
	EventReverb  = "audio.reverbSet" // {zoneId, meta?}
)

type started struct {
	Handle Handle          `json:"handle"`
	Skill  string          `json:"skill"`
	Meta   registry.Object `json:"meta,omitempty"`
}

type stopped struct {
	Handle string `json:"handle"` // of a sound, or of a reverb zone
}

type volumeSet struct {
	Handle Handle  `json:"handle"`
	Volume float64 `json:"volume"`
}

type busSet struct {
	Bus    Bus     `json:"bus"`
	Volume float64 `json:"volume"`
}

type musicSet struct {
	TrackID string          `json:"trackId"`
	Volume  float64         `json:"volume"`
	Loop    bool            `json:"loop"`
	Meta    registry.Object `json:"meta,omitempty"`
}

type reverbSet struct {
	ZoneID zoneID          `json:"zoneId"`
	Meta   registry.Object `json:"meta,omitempty"`
}
