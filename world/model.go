package world

import "github.com/limina-mcp/limina/world/convex"

// SetModels has a package that keeps the meshes of a world say which convex pieces the mesh of an entity consists of, nil for none. It is called
// once, where the world is put together. For one state of an entity the answer must always be the same model.
func (w *World) SetModels(of func(v *View, id ID) *convex.Model) { w.models = of }

// Model returns the convex pieces that an entity consists of, nil if it is none that has any: whoever asks what room it takes up, or what
// it collides as, goes by those rather than by the box around it.
func (w *World) Model(v *View, id ID) *convex.Model {
	if w.models == nil {
		return nil
	}
	return w.models(v, id)
}
