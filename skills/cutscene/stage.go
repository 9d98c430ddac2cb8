package cutscene

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of cutscenes.
const (
	MaxScenes = 64
	MaxData   = 256 << 10 // bytes of the data of all keyframes of one
)

// Stage is where the cutscenes of a world play. All of it is in the world, so it is hashed, rolled back and replayed
// with the rest. A world has one Stage.
type Stage struct {
	w        *world.World
	does     *action.Actions
	scenes   *world.Table[string, scene]
	playing  *world.Global[Playing]
	progress *world.Global[progress]
}

// scene is a cutscene as it was defined. Rows are immutable.
type scene struct {
	Keyframes []keyframe `json:"keyframes"` // by step
	Loop      bool       `json:"loop,omitempty"`
	By        string     `json:"by"` // who defined it

	Profile string         `json:"profile,omitempty"` // … with which profile
	Caller  *action.Caller `json:"caller,omitempty"`  // … and as what, if a keyframe calls a skill
}

// keyframe is what happens at a step.
type keyframe struct {
	At     uint64          `json:"at"`
	Type   string          `json:"type"`
	As     string          `json:"as,omitempty"` // the type that was given, if it is none that the server knows
	Target string          `json:"target,omitempty"`
	Data   registry.Object `json:"data,omitempty"`
}

// kept returns what is to be done at a keyframe.
func (s *scene) kept(k *keyframe) *action.Kept {
	kept := &action.Kept{Type: k.Type, Target: k.Target, Data: k.Data, By: s.By, Profile: s.Profile}
	if k.Type == "call" {
		kept.Profile, kept.Caller = "", s.Caller
	}
	return kept
}

// ticks is the step of the last keyframe.
func (s *scene) ticks() uint64 { return s.Keyframes[len(s.Keyframes)-1].At }

// Playing is what plays, as viewers get it.
type Playing struct {
	Playing  bool   `json:"playing"`
	ID       string `json:"id,omitempty"`
	Start    uint64 `json:"startTick,omitempty"` // the simulation step of its first
	Duration uint64 `json:"durationTicks,omitempty"`
	Loop     bool   `json:"loop,omitempty"`
	By       string `json:"by,omitempty"` // who began it
}

// progress is how far it is.
type progress struct {
	Round uint64     `json:"round,omitempty"` // the step in which it began, or began anew
	Done  int        `json:"done,omitempty"`  // keyframes
	Seen  lapse.Seen `json:"seen,omitempty"`  // when it was last seen to play, or to be about to
}

// New adds a stage to a world, once, where it is put together: before the events that hear of it.
func New(w *world.World, does *action.Actions) *Stage {
	s := &Stage{
		w: w, does: does,
		scenes:   world.NewTable[string, scene](w, "cutscene.scenes", MaxScenes, world.Private),
		playing:  world.NewGlobal(w, "cutscene", Playing{}),
		progress: world.NewGlobal(w, "cutscene.progress", progress{}, world.Private),
	}
	w.Retire("cutscene.seen")
	s.playing.Resume(func(p Playing, past uint64) Playing {
		if p.Playing {
			p.Start += past
		}
		return p
	})
	s.progress.Resume(func(at progress, past uint64) progress {
		if at != (progress{}) {
			at.Round, at.Seen = at.Round+past, at.Seen.Later(past)
		}
		return at
	})
	does.OnPlay(s.perform)
	w.OnStep("cutscenes", s.step, func(v *world.View) world.Activity {
		switch p := s.playing.Get(v); {
		case !p.Playing:
			return world.Idle
		case p.Loop:
			return world.Waiting
		}
		return world.Busy
	})
	return s
}

// find returns the cutscene that a caller names. The error says which there are.
func (s *Stage) find(v *world.View, id string) (scene, error) {
	return shelf.Named(v, s.scenes, "cutscene", "cutscene.define", id)
}

// play begins a cutscene at a step, 0: in the next one. reason says why it cannot be, if so.
func (s *Stage) play(tx *world.Tx, by, id string, start uint64) (reason string, err error) {
	sc, err := s.find(&tx.View, id)
	if err != nil {
		return "", err
	}
	if p := s.playing.Get(&tx.View); p.Playing {
		return "the cutscene \"" + quote.Clip(p.ID) + "\" is playing: cutscene.stop ends it", nil
	}
	if start == 0 {
		start = tx.Step() + 1
	}
	if err := s.progress.Set(tx, progress{Round: start, Seen: lapse.Now(tx.Step())}); err != nil {
		return "", err
	}
	return "", s.playing.Set(tx, Playing{true, id, start, sc.ticks(), sc.Loop, by})
}

// ended ends what plays, and announces it.
func (s *Stage) ended(tx *world.Tx, stopped bool) error {
	p := s.playing.Get(&tx.View)
	if err := s.playing.Set(tx, Playing{}); err != nil {
		return err
	}
	if err := s.progress.Set(tx, progress{}); err != nil {
		return err
	}
	text, err := json.Marshal(struct {
		ID      string `json:"id"`
		Stopped bool   `json:"stopped,omitempty"`
	}{p.ID, stopped})
	if err != nil {
		return err
	}
	return s.does.Announce(tx, action.Event{Name: "cutscene.ended", By: p.By, Data: text})
}

// perform does what a setState says of cutscenes, on somebody's behalf.
func (s *Stage) perform(tx *world.Tx, by string, p *action.Play) error {
	if p.Cutscene == "" {
		return nil
	}
	reason, err := s.play(tx, by, p.Cutscene, 0)
	if err == nil && reason != "" {
		err = registry.Failf("%s", reason)
	}
	return err
}
