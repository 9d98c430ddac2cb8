package picture

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
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
