package terrain_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/world"
)

// TestClientLearnsOfGround: a client's copy gets a region's tiles by deltas, with all that it takes to compute their heights, and
// loses them again.
func TestClientLearnsOfGround(t *testing.T) {
	synctest.Test(t, learnsOfGround)
}

func learnsOfGround(t *testing.T) {
	t.Helper()
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l := memnet.Listen()
	srv, err := server.On(l, true, server.Config{Core: e.Mcp})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	stopped := make(chan error)
	go func() { stopped <- e.Run(ctx, srv.Run) }()
	defer func() {
		cancel()
		<-stopped
	}()
	dial := func(agent, profile string) *client.Client {
		c, err := client.Dial(ctx, client.Options{URL: "ws://localhost/", NetDial: l.DialContext, AgentID: agent, Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	ann, ben := dial("ann", "terrain.author"), dial("ben", "player.limited")
	view, err := ben.Subscribe(ctx, client.Subscription{Area: client.Within([3]float64{0, 0, 0}, 60)})
	if err != nil {
		t.Fatal(err)
	}
	call := func(skill string, in map[string]any) {
		if err := ann.Call(ctx, skill, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	tiles := func() (found []world.Ground) {
		for _, entity := range view.Entities() {
			var g world.Ground
			if ok, err := entity.Component("ground", &g); err != nil {
				t.Fatal(err)
			} else if ok {
				found = append(found, g)
			}
		}
		return found
	}
	wait := func(n int) []world.Ground {
		for range view.Updates(ctx) {
			if found := tiles(); len(found) == n {
				return found
			}
		}
		t.Fatalf("the copy has %d tiles, not %d", len(tiles()), n)
		return nil
	}
	call("world.generateRegion", map[string]any{"seed": 77, "type": "islands", "bounds": map[string]int{"minTx": -1, "minTz": -1, "maxTx": 0, "maxTz": 0}})
	for _, g := range wait(4) {
		if there, here := e.World.Surface(g), g.Land.Tile(g.Tile[0], g.Tile[1], g.LOD); there.At(5, 7) != here.At(5, 7) {
			t.Errorf("tile %v is another one for the client", g.Tile)
		}
	}
	call("scene.destroyEntity", map[string]any{"entity": "ent_0"})
	wait(0)
}
