package animation

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/world"
)

// AuthorIn is the input of animation.authorClip.
type AuthorIn struct {
	ID       string          `json:"id" validate:"min=1,max=128" jsonschema_description:"What animation.play calls it. A clip of that id is replaced, also where it plays."`
	Duration float64         `json:"duration" validate:"gt=0,lte=100000" jsonschema_description:"How long it takes, in seconds."`
	Loop     bool            `json:"loop" jsonschema:"default=false" jsonschema_description:"Whether the states of a state machine repeat it. animation.play says for itself."`
	Tracks   []Track         `json:"tracks" validate:"min=1,max=256" jsonschema_description:"What it changes, a track for each property."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.authored."`
}

// AuthorOut is the output of animation.authorClip.
type AuthorOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Always true."`
	Tracks int    `json:"tracks" jsonschema_description:"How many tracks it has."`
	Keys   int    `json:"keys" jsonschema_description:"How many keys they have."`
	Note   string `json:"note,omitempty" jsonschema_description:"What may be a mistake."`
}

func (c *Clips) author() registry.Skill {
	return registry.Define(registry.Spec[AuthorIn, AuthorOut]{
		Name:  "animation.authorClip",
		Title: "Make a clip of keyframes",
		Description: "Make a clip of keyframes, that any entity can play by animation.play: a mill, a door that swings, a lift, a lamp that flickers. Positions, rotations and scales are told from how the entity stands when it is played, so one clip serves many. Rotations are in radians: 6.2832 is once round; interp smooth has doors and lifts set off and arrive gently. " +
			"To put something elsewhere at once use three.setTransform. " +
			`Example, once round about z in 8 seconds: {"id":"spin","duration":8,"tracks":[{"property":"rotation.z","keys":[{"t":0,"value":0},{"t":8,"value":6.2832}]}]}`,
		Keywords:    "animate motion spinning rotating forever windmill wheel propeller orbit planet elevator bob hover sway pulse blinking flicker keyframe tween round circle circuit boat train moving platform lift",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in AuthorIn) (AuthorOut, error) {
			made := clip{Duration: in.Duration, Loop: in.Loop, Tracks: in.Tracks}
			note, err := made.check()
			if err != nil {
				return AuthorOut{}, err
			}
			return world.Do(c.w, call, func(tx *world.Tx) (AuthorOut, error) {
				if old, ok := c.rows.Get(&tx.View, in.ID); ok {
					made.Name, made.FrameRate, made.Asset = old.Name, old.FrameRate, old.Asset
				}
				if err := c.put(tx, call.Principal(), in.ID, made); err != nil {
					return AuthorOut{}, err
				}
				return AuthorOut{true, len(made.Tracks), made.keys(), note}, call.Emit("animation.authored", event{Clip: in.ID, Meta: in.Meta})
			})
		},
	})
}

// check holds a clip's tracks to what their properties need. The note says what may be a mistake.
func (c *clip) check() (note string, err error) {
	for i := range c.Tracks {
		t := &c.Tracks[i]
		path := fmt.Sprintf("tracks[%d]", i)
		if err := t.check(path, c.Duration); err != nil {
			return "", err
		}
		if note == "" {
			note = t.note(path)
		}
	}
	if n := c.keys(); n > MaxKeys {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "tracks: have %d keys, a clip has at most %d", n, MaxKeys)
	}
	return note, nil
}

// note says what of a good track may be a mistake.
func (t *Track) note(path string) string {
	const turns = 20 // that somebody who counts in radians may want in one clip
	switch p := t.part(); p {
	case other:
		return fmt.Sprintf("%s.property: %q moves nothing by itself, and is kept for animation.sampleClip; what moves is position, rotation, scale, one axis of them such as rotation.y, color and intensity", path, t.Property)
	case rotation, rotationX, rotationY, rotationZ:
		for i := range t.Keys {
			for _, a := range t.Keys[i].Value {
				if a == float64(int(a)) && (a >= turns || a <= -turns) {
					return angle.Turning(fmt.Sprintf("%s.keys[%d].value", path, i), t.Keys[i].Value...)
				}
			}
		}
	}
	return ""
}

// put stores a clip of an agent's. What plays it goes on by it.
func (c *Clips) put(tx *world.Tx, by *profiles.Principal, id string, made clip) error {
	all := made.keys()
	for name, other := range c.rows.All(&tx.View) {
		if name != id {
			all += other.keys()
		}
	}
	if all > MaxAllKeys {
		return registry.Errorf(registry.CodeCapacityExceeded, "tracks: all clips would have %d keys together, and may have %d", all, MaxAllKeys)
	}
	if _, there := c.rows.Get(&tx.View, id); !there {
		if err := c.clipsBy.Take(tx, id, by.Owner(), c.rows.Len(&tx.View)); err != nil {
			return err
		}
	}
	if err := c.rows.Set(tx, id, made); err != nil {
		return err
	}
	for e, p := range c.playing.All(&tx.View) {
		if p.plays(id) {
			if err := c.intrudes(&tx.View, by.ID, e, id, &made); err != nil {
				return err
			}
			if err := c.stir(tx, e, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// LoadIn is the input of animation.load.
type LoadIn struct {
	ID        string          `json:"id" validate:"min=1,max=128" jsonschema_description:"What animation.play calls it."`
	Name      string          `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is called in the model that has it."`
	Duration  float64         `json:"duration" validate:"gt=0,lte=100000" jsonschema_description:"How long it takes, in seconds."`
	Loop      bool            `json:"loop" jsonschema:"default=false" jsonschema_description:"Whether it is meant to repeat."`
	FrameRate float64         `json:"frameRate" validate:"gt=0" jsonschema:"default=30" jsonschema_description:"Its frames a second."`
	AssetID   string          `json:"assetId,omitempty" validate:"omitempty,max=256" jsonschema_description:"The model that has it."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.loaded."`
}

// LoadOut is the output of animation.load.
type LoadOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Always true."`
	ClipID string `json:"clipId" jsonschema_description:"What animation.play takes."`
}

func (c *Clips) load() registry.Skill {
	return registry.Define(registry.Spec[LoadIn, LoadOut]{
		Name:  "animation.load",
		Title: "Name a clip of a model",
		Description: "Tell the world of a clip that a model brings along, such as its walk, so that it can be played: viewers that have the model draw it, and nothing moves here. To move entities use animation.authorClip. " +
			`Example: {"id":"walk","name":"Armature|Walk","duration":1.2,"loop":true}`,
		Keywords:    "clip register model skeleton rig",
		Permissions: mayRead,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in LoadIn) (LoadOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (LoadOut, error) {
				if old, ok := c.rows.Get(&tx.View, in.ID); ok && len(old.Tracks) > 0 {
					return LoadOut{}, registry.Failf("id: there is a clip %q that moves entities: choose another id", in.ID)
				}
				err := c.put(tx, call.Principal(), in.ID, clip{Name: in.Name, Duration: in.Duration, Loop: in.Loop, FrameRate: in.FrameRate, Asset: in.AssetID})
				if err != nil {
					return LoadOut{}, err
				}
				return LoadOut{true, in.ID}, call.Emit("animation.loaded", event{Clip: in.ID, Meta: in.Meta})
			})
		},
	})
}

// SampleIn is the input of animation.sampleClip.
type SampleIn struct {
	ID string  `json:"id" jsonschema_description:"The clip."`
	T  float64 `json:"t" jsonschema_description:"Seconds from its begin. What is before it is as the begin, what is beyond its end as the end."`
}

// SampleOut is the output of animation.sampleClip.
type SampleOut struct {
	Found  bool             `json:"found" jsonschema_description:"Whether there is a clip of that id with tracks."`
	Values map[string]Value `json:"values,omitempty" jsonschema_description:"What each property has then."`
}

func (c *Clips) sample() registry.Skill {
	return registry.Define(registry.Spec[SampleIn, SampleOut]{
		Name:  "animation.sampleClip",
		Title: "Ask what a clip has at a time",
		Description: "Ask what the properties of a clip have at a time, without playing it. What an entity plays now says animation.getClipInfo. " +
			`Example: {"id":"spin","t":2}`,
		Keywords:    "interpolate value keyframe",
		Permissions: mayRead,
		Effect:      registry.Reads,
		Handle: func(call *registry.Call, in SampleIn) (SampleOut, error) {
			return world.Read(c.w, call, func(v *world.View) (out SampleOut, err error) {
				found, ok := c.rows.Get(v, in.ID)
				if !ok || len(found.Tracks) == 0 {
					return out, nil
				}
				out.Found, out.Values = true, make(map[string]Value, len(found.Tracks))
				for i := range found.Tracks {
					t := &found.Tracks[i]
					out.Values[t.Property] = t.at(nil, in.T)
				}
				return out, nil
			})
		},
	})
}
