package cutscene

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Act is what a keyframe does.
type Act struct {
	Type   string          `json:"type" validate:"min=1,max=128" jsonschema_description:"emit, setState, spawn, destroy, audio, animation, call or custom, as trigger.onEnter has them. Anything else is told to viewers, who make something of it: \"camera\"."`
	Target string          `json:"target,omitempty" validate:"omitempty,max=128" jsonschema_description:"setState, destroy, audio: the id of an entity. emit: the name of the event. animation, custom: whatever you agreed on."`
	Data   registry.Object `json:"data,omitempty" jsonschema_description:"As trigger.onEnter has it: position, color and the like for setState, the input of scene.createEntity for spawn, name and volume for audio."`
}

// Keyframe is when it does that.
type Keyframe struct {
	At     *float64 `json:"at,omitempty" validate:"omitempty,gte=0,lte=1000000" jsonschema_description:"How many simulated seconds after the start. This or atTick is required."`
	AtTick *uint64  `json:"atTick,omitempty" jsonschema_description:"The same in simulation steps: 0 is the first, 60 a second later."`
	Action Act      `json:"action" jsonschema_description:"What is done then."`
}

// DefineIn is the input of cutscene.define.
type DefineIn struct {
	ID        string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Its name, for cutscene.play. One of that name is replaced."`
	Keyframes []Keyframe      `json:"keyframes" validate:"min=1,max=512" jsonschema_description:"What happens when, in any order; those of one step are done in the order given."`
	Loop      bool            `json:"loop" jsonschema:"default=false" jsonschema_description:"Whether it begins anew in the step after its last keyframe, until it is stopped."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// DefineOut is the output of cutscene.define.
type DefineOut struct {
	OK            bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Keyframes     int    `json:"keyframes" jsonschema_description:"How many it has."`
	DurationTicks uint64 `json:"durationTicks" jsonschema_description:"The step of the last; 60 are a second."`
	Note          string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Define is cutscene.define.
func Define(s *Stage) registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "cutscene.define",
		Title: "Write a cutscene",
		Description: "Write a cutscene, a timeline of what happens when: things that move, appear and vanish, sounds, events. The server does it when cutscene.play begins it, as you. For one thing after some time use game.timer. " +
			`Example: {"id":"intro","keyframes":[{"at":0,"action":{"type":"audio","data":{"name":"drums"}}},{"at":1.5,"action":{"type":"setState","target":"ent_7","data":{"position":[0,3,0]}}}]}`,
		Keywords:    "timeline sequence keyframe animation script intro movie story choreography schedule",
		Permissions: []profiles.Permission{"game.configure"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			sc, note, err := in.scene(s.w, c)
			if err != nil {
				return DefineOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (DefineOut, error) {
				if p := s.playing.Get(&tx.View); p.Playing && p.ID == in.ID {
					return DefineOut{}, registry.Failf("the cutscene %q is playing: cutscene.stop ends it", quote.Clip(in.ID))
				}
				out := DefineOut{OK: true, Keyframes: len(sc.Keyframes), DurationTicks: sc.ticks(), Note: note}
				old, there := s.scenes.Get(&tx.View, in.ID)
				if there && reflect.DeepEqual(old, sc) {
					return out, nil
				}
				if !there {
					of := share.Kept{Most: MaxScenes, What: "cutscenes", Free: "cutscene.remove takes one away"}
					if err := share.RoomIn(&tx.View, &of, s.scenes.All(&tx.View), sc.By, func(s *scene) string { return s.By }); err != nil {
						return DefineOut{}, err
					}
				}
				return out, s.scenes.Set(tx, in.ID, sc)
			})
		},
	})
}

// known are the types of actions that the server does.
var known = []string{"emit", "setState", "spawn", "destroy", "audio", "animation", "call", "custom"}

// scene returns what is kept of a cutscene that the caller of c defines, and what may be a mistake in it.
func (in *DefineIn) scene(w *world.World, c *registry.Call) (sc scene, note string, err error) {
	p := c.Principal()
	sc = scene{Loop: in.Loop, By: p.ID, Profile: p.Profile, Keyframes: make([]keyframe, len(in.Keyframes))}
	bytes := 0
	for i, k := range in.Keyframes {
		a := action.Action{Type: k.Action.Type, Target: k.Action.Target, Data: k.Action.Data}
		as := ""
		if !slices.Contains(known, a.Type) {
			a.Type, as = "custom", a.Type
		}
		where := fmt.Sprintf("keyframes[%d]", i)
		at, err := k.step(w)
		if err != nil {
			return sc, "", registry.Under(where, err)
		}
		if err := a.Check(w, c); err != nil {
			return sc, "", registry.Under(where, err)
		}
		if note == "" {
			note = in.doubt(i, &a, as)
		}
		kept := a.Keep(p)
		bytes += len(kept.Data)
		if kept.Caller != nil {
			sc.Caller = kept.Caller
		}
		sc.Keyframes[i] = keyframe{At: at, Type: kept.Type, As: as, Target: kept.Target, Data: kept.Data}
	}
	if bytes > MaxData {
		return sc, "", registry.Errorf(registry.CodeCapacityExceeded, "keyframes: hold at most %d bytes of data together, these have %d", MaxData, bytes)
	}
	slices.SortStableFunc(sc.Keyframes, func(a, b keyframe) int { return cmp.Compare(a.At, b.At) })
	return sc, note, nil
}

// step returns in which step from the start a keyframe is.
func (k *Keyframe) step(w *world.World) (uint64, error) {
	switch {
	case (k.At == nil) == (k.AtTick == nil):
		return 0, registry.Invalidf("at: give it, in seconds from the start, or atTick, in simulation steps, and not both")
	case k.At != nil:
		return w.StepsIn(*k.At), nil
	}
	return *k.AtTick, nil
}

// doubt says what of a keyframe that is good may be a mistake.
func (in *DefineIn) doubt(i int, a *action.Action, as string) string {
	where := fmt.Sprintf("keyframes[%d]: ", i)
	switch {
	case as != "" && wire.Nearest(as, known) != "":
		return where + fmt.Sprintf("the server does nothing of type %q, viewers are told; did you mean %q?", quote.Clip(as), wire.Nearest(as, known))
	case as != "":
		return where + fmt.Sprintf("the server does nothing of type %q, viewers are told (cutscene.custom); it does %s", quote.Clip(as), strings.Join(known, ", "))
	case a.Note() != "":
		return where + a.Note()
	case a.Target == "" && (a.Type == "destroy" || a.Type == "setState" && !a.PlaysOnly()):
		return where + "a cutscene is about no entity: name one as action.target, or this fails"
	}
	return ""
}
