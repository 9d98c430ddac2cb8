package cutscene

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// PlayIn is the input of cutscene.play.
type PlayIn struct {
	ID        string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Which, as cutscene.define named it."`
	StartTick *uint64         `json:"startTick,omitempty" jsonschema_description:"The simulation step of its first keyframes, in the future; cutscene.status says which step it is now. Left out: the next one."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// PlayOut is the output of cutscene.play.
type PlayOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether it has begun, or will."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why not, and what to do."`
}

// Play is cutscene.play.
func Play(s *Stage) registry.Skill {
	return registry.Define(registry.Spec[PlayIn, PlayOut]{
		Name:  "cutscene.play",
		Title: "Play a cutscene",
		Description: "Begin a cutscene of cutscene.define: the server does its keyframes, step by step. One plays at a time. When it has ended, listeners to the event cutscene.ended (event.listen) do what they do. " +
			`To begin one when something happens, attach {"type":"setState","data":{"game":{"cutscene":"intro"}}} to a zone or an event. Example: {"id":"intro"}`,
		Keywords:    "start begin run intro timeline sequence movie",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlayIn) (PlayOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (PlayOut, error) {
				start := uint64(0)
				if in.StartTick != nil {
					if start = *in.StartTick; start <= tx.Step() {
						_, err := s.find(&tx.View, in.ID)
						return PlayOut{Reason: fmt.Sprintf("step %d is past, this is step %d: leave startTick out to begin at once", start, tx.Step())}, err
					}
				}
				reason, err := s.play(tx, c.Principal().ID, in.ID, start)
				return PlayOut{OK: err == nil && reason == "", Reason: reason}, err
			})
		},
	})
}

// StopIn is the input of cutscene.stop.
type StopIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// StopOut is the output of cutscene.stop.
type StopOut struct {
	OK         bool `json:"ok" jsonschema_description:"Always true: none plays now."`
	WasPlaying bool `json:"wasPlaying" jsonschema_description:"Whether one did."`
}

// Stop is cutscene.stop.
func Stop(s *Stage) registry.Skill {
	return registry.Define(registry.Spec[StopIn, StopOut]{
		Name:        "cutscene.stop",
		Title:       "Stop the cutscene",
		Description: "Stop the cutscene that plays: what it has done stays, the rest is not done, and cutscene.ended is emitted, with stopped. Example: {}",
		Keywords:    "skip end cancel abort intro",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, _ StopIn) (StopOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (StopOut, error) {
				if !s.playing.Get(&tx.View).Playing {
					return StopOut{OK: true}, nil
				}
				return StopOut{OK: true, WasPlaying: true}, s.ended(tx, true)
			})
		},
	})
}

// StatusOut is the output of cutscene.status.
type StatusOut struct {
	Playing      bool    `json:"playing" jsonschema_description:"Whether one plays, or is to begin."`
	ID           string  `json:"id,omitempty" jsonschema_description:"Which."`
	StartTick    *uint64 `json:"startTick,omitempty" jsonschema_description:"The simulation step in which it began, or will."`
	FiredThrough *int    `json:"firedThrough,omitempty" jsonschema_description:"How many of its keyframes were done, of a loop in this round."`
	Total        *int    `json:"total,omitempty" jsonschema_description:"How many it has."`
	Loop         *bool   `json:"loop,omitempty" jsonschema_description:"Whether it begins anew."`
	Step         uint64  `json:"step" jsonschema_description:"Which simulation step it is now; 60 are a second of the world's time."`
}

// Status is cutscene.status.
func Status(s *Stage) registry.Skill {
	return registry.Define(registry.Spec[struct{}, StatusOut]{
		Name:        "cutscene.status",
		Title:       "How far the cutscene is",
		Description: "Say which cutscene plays, since when and how far it is, and which simulation step it is now. Example: {}",
		Keywords:    "progress playing current",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, _ struct{}) (StatusOut, error) {
			return world.Read(s.w, c, func(v *world.View) (StatusOut, error) {
				p, at := s.playing.Get(v), s.progress.Get(v)
				out := StatusOut{Playing: p.Playing, Step: v.Step()}
				if p.Playing {
					sc, _ := s.scenes.Get(v, p.ID)
					total := len(sc.Keyframes)
					out.ID, out.StartTick, out.FiredThrough, out.Total, out.Loop = p.ID, &p.Start, &at.Done, &total, &p.Loop
				}
				return out, nil
			})
		},
	})
}
