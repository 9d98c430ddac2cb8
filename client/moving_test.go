package client_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/client"
)

// TestMovingBall has many follow a ball that falls, bounces, rolls and comes to rest. Each has it where
// the server has it, all the way, to the last bit.
func TestMovingBall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.Close()
		defer func() { w.stop() }()
		ctx := context.Background()
		ada := w.client(t, "ada")
		defer ada.Close()
		var floor, ball struct{ Entity client.ID }
		call := func(name string, input map[string]any, out any) {
			t.Helper()
			if err := ada.Call(ctx, name, input, out); err != nil {
				t.Fatal(err)
			}
		}
		call("scene.createEntity", map[string]any{"size": 50, "position": []float64{0, -25, 0}, "static": true}, &floor)
		call("scene.createEntity", map[string]any{"shape": "sphere", "size": 0.7, "position": []float64{0.1, 3, 0}, "dynamic": true, "restitution": 0.8}, &ball)
		call("physics.applyImpulse", map[string]any{"entity": ball.Entity, "impulse": []float64{0.3, 0, 0.1}}, nil)

		views := make([]*client.View, 64)
		for i := range views {
			c := w.client(t, fmt.Sprint("watcher ", i))
			defer c.Close()
			var err error
			if views[i], err = c.Subscribe(ctx, client.Subscription{Area: client.Whole()}); err != nil {
				t.Fatal(err)
			}
		}
		start, _ := views[0].Get(ball.Entity)
		for n := range 600 {
			w.World.Step(ctx)
			if n%60 != 7 {
				continue
			}
			synctest.Wait()
			for i, v := range views {
				if diff := w.differs(v, client.JSON); diff != "" {
					t.Fatalf("after step %d watcher %d differs (-world +copy):\n%s", n, i, diff)
				}
			}
		}
		end, _ := views[0].Get(ball.Entity)
		if end.Position == start.Position || end.Rotation == start.Rotation {
			t.Errorf("the ball went from %v to %v: it did not move", start, end)
		}
	})
}
