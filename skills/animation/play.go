package animation

import (
	"fmt"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// PlayIn is the input of animation.play.
type PlayIn struct {
	Entity       world.ID        `json:"entity" jsonschema_description:"What is to move, such as ent_3. What is below a group moves with it."`
	ClipID       string          `json:"clipId" validate:"min=1,max=128" jsonschema_description:"The clip, as animation.authorClip calls it."`
	Layer        int             `json:"layer" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"A clip takes the place of the one on its layer; those of higher layers go over it."`
	Weight       float64         `json:"weight" validate:"gte=0,lte=1" jsonschema:"default=1" jsonschema_description:"How much it counts over what is below it."`
	Speed        float64         `json:"speed" validate:"gte=-1000,lte=1000" jsonschema:"default=1" jsonschema_description:"How fast; 2 is twice as fast, -1 backwards from its end."`
	Loop         bool            `json:"loop" jsonschema:"default=true" jsonschema_description:"Whether it goes on and on. With false it holds its end: a door stays open."`
	FadeDuration float64         `json:"fadeDuration" validate:"gte=0,lte=3600" jsonschema:"default=0" jsonschema_description:"Seconds in which it takes over."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.played."`
}

// PlayOut is the output of animation.play and of those that have something play.
type PlayOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true."`
	Note string `json:"note,omitempty" jsonschema_description:"Why nothing moves, or moves aside."`
}

func (c *Clips) play() registry.Skill {
	return registry.Define(registry.Spec[PlayIn, PlayOut]{
		Name:  "animation.play",
		Title: "Play a clip",
		Description: "Have an entity follow a clip that animation.authorClip has made, from how it stands now, over and over or once. It answers at once, and the simulation moves it, whoever looks; to have several go about one point, put them in a scene.group and play that. " +
			`Where to go by itself use navmesh.moveTo. Examples: {"entity":"ent_3","clipId":"spin"}, {"entity":"ent_5","clipId":"open","loop":false}`,
		Keywords:    "animate spinning rotating forever windmill elevator moving platform lift",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in PlayIn) (PlayOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				note, err := c.ready(tx, call, in.Entity, "clipId", in.ClipID)
				if err != nil {
					return PlayOut{}, err
				}
				part := Part{Clip: in.ClipID, Layer: in.Layer, Weight: in.Weight, Speed: in.Speed, Loop: in.Loop}
				if err := c.begin(tx, in.Entity, part, c.steps(in.FadeDuration)); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{true, note}, call.Emit("animation.played", event{Entity: in.Entity, Clip: in.ClipID, Meta: in.Meta})
			})
		},
	})
}

// ready reports whether a caller may have an entity play clips. The note says why nothing will move, or where to it will.
func (c *Clips) ready(tx *world.Tx, call *registry.Call, id world.ID, field string, clips ...string) (note string, err error) {
	if !tx.Exists(id) {
		return "", tx.Unknown(id)
	}
	if err := c.guard(&tx.View, call.Principal(), id); err != nil {
		return "", err
	}
	for _, name := range clips {
		found, err := c.find(&tx.View, field, name)
		if err == nil {
			err = c.intrudes(&tx.View, call.Principal().ID, id, name, &found)
		}
		switch {
		case err != nil:
			return "", err
		case len(found.Tracks) == 0:
			note = fmt.Sprintf("%s is a clip of a model: viewers draw it, and nothing moves here. animation.authorClip makes clips that move", name)
		case found.moves() && c.own(&tx.View, id):
			note = id.String() + " goes where it is sent, so that clips do not move it; viewers are told what it plays"
		case note == "":
			note = found.slants(&tx.View, id)
		}
	}
	return note, nil
}

// StopIn is the input of animation.stop.
type StopIn struct {
	Entity    world.ID        `json:"entity" jsonschema_description:"What plays, or follows a path, such as ent_3."`
	Layer     *int            `json:"layer,omitempty" jsonschema_description:"Only what plays on this layer; all, and its path, if it is left out."`
	FadeOutMs float64         `json:"fadeOutMs" validate:"gte=0,lte=3600000" jsonschema:"default=0" jsonschema_description:"Milliseconds in which it goes back to how it stood before it played. With 0 it stays as it is now."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.stopped."`
}

// StopOut is the output of animation.stop.
type StopOut struct {
	OK bool `json:"ok" jsonschema_description:"False if it played nothing there, and followed no path."`
}

func (c *Clips) stop() registry.Skill {
	return registry.Define(registry.Spec[StopIn, StopOut]{
		Name:  "animation.stop",
		Title: "Stop a clip, or on a path",
		Description: "Stop what an entity plays, on one layer, or all of it, its state machine, and that it follows a path: of the first of a train, the train. It stays as it is, or with fadeOutMs what it plays goes back to how it stood before. " +
			`Example: {"entity":"ent_3","fadeOutMs":500}`,
		Keywords:    "halt freeze",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in StopIn) (StopOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (StopOut, error) {
				if _, err := c.ready(tx, call, in.Entity, ""); err != nil {
					return StopOut{}, err
				}
				now, _ := c.playing.Get(&tx.View, in.Entity)
				stopped := 0
				next := now.fade(tx.Step(), c.steps(in.FadeOutMs/1000), func(p *Part) bool {
					if in.Layer != nil && p.Layer != *in.Layer {
						return false
					}
					stopped++
					return true
				})
				if in.Layer == nil && c.machines.Remove(tx, in.Entity) {
					stopped++
				}
				halted := in.Layer == nil && c.travels.Has(&tx.View, in.Entity)
				if stopped == 0 && !halted {
					return StopOut{}, nil
				}
				if halted {
					for _, id := range append(c.train(&tx.View, in.Entity), in.Entity) {
						if err := c.alight(tx, id); err != nil {
							return StopOut{}, err
						}
					}
				}
				if stopped > 0 {
					if err := c.set(tx, in.Entity, next); err != nil {
						return StopOut{}, err
					}
				}
				return StopOut{true}, call.Emit("animation.stopped", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}

// BlendIn is the input of animation.blend.
type BlendIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"What is to move, such as ent_3."`
	Clips  []Mixed         `json:"clips" validate:"min=2,max=8" jsonschema_description:"What it plays from now on, and nothing else. Clips of one layer are mixed by their weights."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.blended."`
}

// Mixed is a clip of a mixture.
type Mixed struct {
	ClipID string  `json:"clipId" validate:"min=1,max=128" jsonschema_description:"The clip."`
	Weight float64 `json:"weight" validate:"gte=0,lte=1" jsonschema_description:"How much it counts."`
	Speed  float64 `json:"speed" validate:"gte=-1000,lte=1000" jsonschema:"default=1" jsonschema_description:"How fast."`
	Layer  int     `json:"layer" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"Its layer."`
}

func (c *Clips) blend() registry.Skill {
	return registry.Define(registry.Spec[BlendIn, PlayOut]{
		Name:  "animation.blend",
		Title: "Mix clips",
		Description: "Have an entity play a mixture of 2 to 8 clips, over and over, in place of all that it plays. For one clip use animation.play. " +
			`Example: {"entity":"ent_3","clips":[{"clipId":"bob","weight":0.7},{"clipId":"sway","weight":0.3}]}`,
		Keywords:    "mix weight combine animate",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in BlendIn) (PlayOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				var note string
				var next Playing
				for i, m := range in.Clips {
					n, err := c.ready(tx, call, in.Entity, fmt.Sprintf("clips[%d].clipId", i), m.ClipID)
					if err != nil {
						return PlayOut{}, err
					}
					if note == "" {
						note = n
					}
					part := Part{Clip: m.ClipID, Layer: m.Layer, Weight: m.Weight, Speed: m.Speed, Loop: true, Start: tx.Step()}
					if next, err = next.with(part); err != nil {
						return PlayOut{}, err
					}
				}
				if err := c.set(tx, in.Entity, next); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{true, note}, call.Emit("animation.blended", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}

// EmoteIn is the input of animation.emote.
type EmoteIn struct {
	Entity        world.ID        `json:"entity" jsonschema_description:"What is to move, such as ent_3."`
	ClipID        string          `json:"clipId" validate:"min=1,max=128" jsonschema_description:"The clip."`
	BlendDuration float64         `json:"blendDuration" validate:"gte=0,lte=60" jsonschema:"default=0.1" jsonschema_description:"Seconds in which it comes in, and goes out after its end."`
	Meta          registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.emoted."`
}

func (c *Clips) emote() registry.Skill {
	return registry.Define(registry.Spec[EmoteIn, PlayOut]{
		Name:  "animation.emote",
		Title: "Play a clip once, over all else",
		Description: "Have an entity play a clip once, over whatever it plays, and then go on as before: a hop, a shake, a nod. " +
			`What is to hold its end uses animation.play with loop false. Example: {"entity":"ent_3","clipId":"hop"}`,
		Keywords:    "gesture wave nod jump shake react once",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in EmoteIn) (PlayOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				note, err := c.ready(tx, call, in.Entity, "clipId", in.ClipID)
				if err != nil {
					return PlayOut{}, err
				}
				over := c.steps(in.BlendDuration)
				part := Part{Clip: in.ClipID, Layer: EmoteLayer, Weight: 1, Speed: 1, Once: true, FadeOut: over}
				if err := c.begin(tx, in.Entity, part, over); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{true, note}, call.Emit("animation.emoted", event{Entity: in.Entity, Clip: in.ClipID, Meta: in.Meta})
			})
		},
	})
}

// InfoIn is the input of animation.getClipInfo.
type InfoIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"What plays, such as ent_3."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Ignored: a question leaves no event of its own."`
}

// InfoOut is the output of animation.getClipInfo.
type InfoOut struct {
	Clips []Running `json:"clips" jsonschema_description:"What it plays, the lowest layer first."`
	State *string   `json:"state,omitempty" jsonschema_description:"The state of its state machine, if it has one."`
	Path  *Underway `json:"path,omitempty" jsonschema_description:"Where it is on the path that it follows, if it follows one."`
}

// Running is a clip that plays.
type Running struct {
	ClipID   string  `json:"clipId" jsonschema_description:"The clip."`
	Time     float64 `json:"time" jsonschema_description:"Where in it the entity is, in seconds."`
	Duration float64 `json:"duration" jsonschema_description:"How long it is, in seconds."`
	Weight   float64 `json:"weight" jsonschema_description:"How much it counts now."`
	Layer    int     `json:"layer" jsonschema_description:"Its layer."`
}

func (c *Clips) info() registry.Skill {
	return registry.Define(registry.Spec[InfoIn, InfoOut]{
		Name:  "animation.getClipInfo",
		Title: "Ask what plays",
		Description: "Ask which clips an entity plays, where in them it is and how much they count, and where on its path it is. What a clip has at a time says animation.sampleClip. " +
			`Example: {"entity":"ent_3"}`,
		Keywords:    "animation status playing progress path train where along",
		Permissions: mayRead,
		Effect:      registry.Reads,
		Handle: func(call *registry.Call, in InfoIn) (InfoOut, error) {
			return world.Read(c.w, call, func(v *world.View) (InfoOut, error) {
				if !v.Exists(in.Entity) {
					return InfoOut{}, v.Unknown(in.Entity)
				}
				out := InfoOut{Clips: []Running{}, Path: c.Underway(v, in.Entity)}
				all, _ := c.playing.Get(v, in.Entity)
				for i := range all {
					p := &all[i]
					found, ok := c.rows.Get(v, p.Clip)
					if !ok || p.gone(v.Step()) {
						continue
					}
					at, _ := p.time(&found, v.Step(), c.w.StepRate())
					out.Clips = append(out.Clips, Running{p.Clip, shown.Number(at), shown.Number(found.Duration), shown.Number(p.weight(v.Step())), p.Layer})
				}
				if m, ok := c.machines.Get(v, in.Entity); ok {
					out.State = &m.State
				}
				return out, nil
			})
		},
	})
}
