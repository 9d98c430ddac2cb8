package audio

import (
	"unicode/utf8"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SpeechPerSecond is how many characters speech is taken to say in a second, after one second to
// begin. Viewers make the speech and know its real length; the server needs one that is the same in
// every replay.
const SpeechPerSecond = 12

// SpeakIn is the input of audio.speak.
type SpeakIn struct {
	Text     string     `json:"text" validate:"min=1,max=500" jsonschema_description:"What is said."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where the voice comes from, [x, y, z] in metres."`
	Volume   *float64   `json:"volume,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume; 1 if left out."`
}

// speech is what viewers get of it.
type speech struct {
	Handle Handle  `json:"handle"`
	Text   string  `json:"text"`
	Bus    Bus     `json:"bus"`
	Volume float64 `json:"volume"`
}

// Speak is audio.speak.
func Speak(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[SpeakIn, SoundOut]{
		Name:  "audio.speak",
		Title: "Speak at a place",
		Description: "Have a text read aloud by a synthetic voice at a place, like a loudspeaker. It is a sound only: to speak as your own body, so that others perceive who said it, use social.say." +
			` Example: {"text":"Mind the gap","position":[0,2,5]}`,
		Keywords:    "announce speech voice tts read text",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SpeakIn) (SoundOut, error) {
			volume := loudness(in.Volume)
			secs := 1 + float64(utf8.RuneCountInString(in.Text))/SpeechPerSecond
			h, err := s.play(c, cue{at: &in.Position, volume: volume, secs: secs, payload: func(h Handle) any {
				return speech{Handle: h, Text: in.Text, Bus: BusVoice, Volume: volume}
			}})
			return SoundOut{Handle: h}, err
		},
	})
}
