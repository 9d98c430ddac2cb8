// Package audio has the skills of the category audio. The server makes no sound: viewers do.
//
// What sounds once (audio.play, playAt, speak, playSFX) is a [world.Moment] of the skill's name, which
// viewers near its place play. What lasts is state of the world, which a viewer that comes later gets
// too: the table "audio.beds" of ambient beds, the globals "audio.music" and "audio.mixer", the table
// "audio.reverb" of zones. [New] adds them to a world, [All] gives the skills.
//
// A sound's handle is good for audio.stop and audio.setVolume for as long as it sounds: an ambient
// bed until it is stopped, a blip for its length, speech for as long as its text takes
// ([SpeechPerSecond]), a named effect for [EffectLength] at most, because only viewers know how long
// it is. The time is counted in simulation steps. After it both answer ok:false; a handle that was
// never given is an error.
//
// Tracks, effects and voices are names that viewers resolve. The server has no list of them, so
// audio.playBGM takes any track id and its ok is never false.
package audio

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(s *Sounds) []registry.Skill {
	return []registry.Skill{
		Play(s), Ambient(s), PlayAt(s), Speak(s), Stop(s), SetVolume(s), SetBusVolume(s),
		PlayBGM(s), StopBGM(s), SetBGM(s), PlaySFX(s), SetReverb(s),
	}
}
