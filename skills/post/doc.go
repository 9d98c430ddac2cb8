// Package post has render.enablePost: what is done to the picture of the world once it is drawn. It is state of the world, the
// global "render.post", and so the same for everybody who looks, undone, kept and replayed with the rest: the browser's page does it, and
// scene.render.
//
// A [Look] has three parts, each of which is there or not: ao, what corners keep of the light; bloom, a shine about what is bright; grade, a
// change of all colours. They are done in this order, to the colours as they are on the screen, from 0 to 1. The formulas are those of
// [render.Post], and the page has the same in viewer/web/src/post.js. docs/building.md says what is drawn where.
package post

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(p *Post) []registry.Skill { return []registry.Skill{p.enable()} }

// Post is what a world has of it. Its methods are for whoever holds the view or the transaction.
type Post struct {
	w    *world.World
	look *world.Global[Look]
}

// New adds it to a world: nothing is done to pictures at first.
func New(w *world.World) *Post { return &Post{w: w, look: world.NewGlobal(w, "render.post", Look{})} }
