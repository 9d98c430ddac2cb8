package picture

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// look has a picture that is to be seen through an agent's camera be seen through it. It returns what that is inside of, 0 for nothing.
func (in *RenderIn) look(s Source, v *world.View, caller *profiles.Principal, o *render.Options) (hides world.ID, err error) {
	if o.View != render.FromCamera || o.Camera != nil {
		return 0, nil
	}
	shot, err := s.Cameras.Shot(v, caller, in.CameraOf)
	if err != nil {
		field := "camera"
		if in.CameraOf != "" {
			field = "cameraOf"
		}
		return 0, registry.Under(field, err)
	}
	o.Camera = &render.Camera{Position: shot.Position, Target: shot.LookAt, FOV: shot.FOV}
	return shot.Hides, nil
}

// buried says that a camera that was placed by hand is below the ground or in something, "" if it is in the open: it sees little but that from within.
func (in *RenderIn) buried(s Source, v *world.View) string {
	if in.Camera == nil {
		return ""
	}
	at := in.Camera.Position
	who := figure.Who{Agents: s.Agents, Physics: s.Physics}
	for id, shape := range s.World.Shapes.All(v) {
		if m, _ := s.World.Materials.Get(v, id); m.Name == material.Glass || who.Is(v, id, shape.Kind) {
			continue
		}
		o, ok := solid.Of(s.World, v, id)
		if !ok {
			continue
		}
		if o.Kind == solid.Field {
			if _, high, ok := o.Column(at[0], at[2]); ok && at[1] < high {
				return fmt.Sprintf("camera.position is below the ground, which is %.1f m high there: give it a y above that", high)
			}
			continue
		}
		if solid.Boxed(s.World, v, id) {
			continue
		}
		if gap, inside := o.Ray(at, world.Vec3{0, 1, 0}); !inside || gap > 0 {
			continue
		}
		name := ""
		if n := v.Name(id); n != "" {
			name = fmt.Sprintf(" (%s)", n)
		}
		return fmt.Sprintf("camera.position is inside %v%s, which hides what is around it: give another", id, name)
	}
	return ""
}

// without is [Source.Copy], but for an entity and what is below it, 0 for none.
func (s Source) without(v *world.View, agent string, id world.ID) *render.Scene {
	scene := s.Copy(v, agent)
	if id == 0 {
		return scene
	}
	hidden := map[world.ID]bool{}
	collect(v, id, hidden)
	scene.Objects = slices.DeleteFunc(scene.Objects, func(o render.Object) bool { return hidden[o.ID] })
	scene.Speeches = slices.DeleteFunc(scene.Speeches, func(s render.Speech) bool { return hidden[s.ID] })
	return scene
}
