package navigation_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), navigation.All(navigation.New(w, agents.New(w)))...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "nav.configure", "nav.read")}
	ctx := context.Background()
	tree := registry.Default[scene.CreateEntityIn]()
	tree.Position, tree.Size = world.Vec3{5, 1, 0.5}, 2
	if _, err := registry.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, r, p, "scene.createEntity", tree); err != nil {
		fmt.Println(err)
		return
	}
	grid := registry.Default[navigation.BuildIn]()
	grid.Bounds, grid.CellSize = &navigation.Rect{MinX: 0, MinZ: -5, MaxX: 10, MaxZ: 5}, 1
	built, err := registry.Invoke[navigation.BuildIn, navigation.BuildOut](ctx, r, p, "navmesh.build", grid)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(built.Cols, "by", built.Rows, "cells,", built.Blocked, "of them blocked")
	way, err := registry.Invoke[navigation.FindPathIn, navigation.FindPathOut](ctx, r, p, "navmesh.findPath",
		navigation.FindPathIn{From: navigation.Target{Point: world.Vec3{0.5, 0, 0.5}}, To: navigation.Target{Point: world.Vec3{9.5, 0, 0.5}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(way.Path)
	// Output:
	// 10 by 10 cells, 6 of them blocked
	// [[0.5 0 0.5] [3.5 0 0.5] [3.5 0 -1.5] [9.5 0 -1.5] [9.5 0 0.5]]
}
