package post

import (
	"cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// EnableIn is the input of render.enablePost.
type EnableIn struct {
	Enabled bool   `json:"enabled" jsonschema:"default=true" jsonschema_description:"false turns all of it off, whatever else is given."`
	AO      *AO    `json:"ao,omitempty" jsonschema_description:"Ambient occlusion: corners and what is below things get less light. On if left out."`
	Bloom   *Bloom `json:"bloom,omitempty" jsonschema_description:"A shine about what is bright, such as lamps and fire. On if left out."`
	Grade   *Grade `json:"grade,omitempty" jsonschema_description:"A change of all colours. On if left out."`
}

// EnableOut is the output of render.enablePost: what is on now.
type EnableOut struct {
	Enabled bool   `json:"enabled" jsonschema_description:"Whether any of it is on."`
	AO      bool   `json:"ao" jsonschema_description:"Whether ambient occlusion is on."`
	Bloom   bool   `json:"bloom" jsonschema_description:"Whether bloom is on."`
	Grade   bool   `json:"grade" jsonschema_description:"Whether the change of colours is on."`
	Depth   bool   `json:"depth" jsonschema_description:"Whether viewers need to know how far away what they show is: for ao."`
	Normal  bool   `json:"normal" jsonschema_description:"Whether they need to know which way it faces: for ao."`
	Preset  string `json:"preset" jsonschema_description:"off: nothing is on; default: all is, with the defaults; custom: all else."`
}

func (p *Post) enable() registry.Skill {
	return registry.Define(registry.Spec[EnableIn, EnableOut]{
		Name:  "render.enablePost",
		Title: "Finish with ambient occlusion, bloom and grade",
		Description: "Post-processing of what everybody sees: ambient occlusion (ao) in corners, bloom about what is bright, a grade of exposure, contrast and saturation. What is left out has its default, not what it was before: " +
			`{} is all three, {"enabled":false} none. The browser's page has it, and scene.render. Example, black and white without the rest: {"ao":{"enabled":false},"bloom":{"enabled":false},"grade":{"saturation":0}}`,
		Keywords:    "postprocessing post-processing bloom occlusion ssao grading exposure contrast saturation cinematic monochrome mood filter style vintage sepia old film warm cosy cold dreamy glow",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in EnableIn) (EnableOut, error) {
			look := in.look()
			return world.Do(p.w, c, func(tx *world.Tx) (EnableOut, error) {
				if look == p.look.Get(&tx.View) {
					return look.out(), nil
				}
				return look.out(), p.look.Set(tx, look)
			})
		},
	})
}

// look returns what is asked for: parts that are off are zero.
func (in *EnableIn) look() (look Look) {
	if !in.Enabled {
		return look
	}
	look = Defaults()
	look.AO = *cmp.Or(in.AO, &look.AO)
	look.Bloom = *cmp.Or(in.Bloom, &look.Bloom)
	look.Grade = *cmp.Or(in.Grade, &look.Grade)
	look.AO, look.Bloom, look.Grade = on(look.AO, look.AO.Enabled), on(look.Bloom, look.Bloom.Enabled), on(look.Grade, look.Grade.Enabled)
	return look
}

// on returns a part, or nothing if it is off.
func on[T any](part T, is bool) (out T) {
	if is {
		out = part
	}
	return out
}

// out says what is on.
func (l *Look) out() EnableOut {
	out := EnableOut{AO: l.AO.Enabled, Bloom: l.Bloom.Enabled, Grade: l.Grade.Enabled, Depth: l.AO.Enabled, Normal: l.AO.Enabled, Preset: "custom"}
	out.Enabled = out.AO || out.Bloom || out.Grade
	switch *l {
	case Look{}:
		out.Preset = "off"
	case Defaults():
		out.Preset = "default"
	}
	return out
}
