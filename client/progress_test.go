package client_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// A call's progress is told to whoever made it and to nobody else, in order, the last of it too; who is busy gets the newest only.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer func() { w.stop() }()
		type in struct {
			Bricks int `json:"bricks" validate:"min=1,max=9"`
		}
		err := w.Registry.Register(registry.Define(registry.Spec[in, struct{}]{
			Name: "demo.lay", Description: "Lay bricks, a second each.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
			Handle: func(c *registry.Call, in in) (out struct{}, err error) {
				for i := range in.Bricks {
					time.Sleep(time.Second)
					c.Progress(float64(i+1), float64(in.Bricks), "laid")
				}
				return out, nil
			},
		}))
		if err != nil {
			t.Fatal(err)
		}
		c := w.client(t, "ada")
		defer c.Close()
		lay := func(bricks int, told func(client.Progress)) {
			t.Helper()
			if _, err := c.Do(t.Context(), client.Request{Name: "demo.lay", Arguments: in{bricks}, Progress: told}); err != nil {
				t.Error(err)
			}
		}
		var three, two, busy, none []client.Progress
		var wg sync.WaitGroup
		wg.Go(func() { lay(3, func(at client.Progress) { three = append(three, at) }) })
		wg.Go(func() {
			lay(2, func(at client.Progress) {
				two = append(two, at)
				_ = c.Ping(t.Context()) // may use the client
			})
		})
		wg.Go(func() {
			lay(4, func(at client.Progress) {
				busy = append(busy, at)
				time.Sleep(2500 * time.Millisecond)
			})
		})
		wg.Go(func() { lay(1, nil) })
		wg.Wait()
		for _, tt := range []struct {
			who       string
			got, want []client.Progress
		}{
			{"three bricks", three, []client.Progress{{1, 3, "laid"}, {2, 3, "laid"}, {3, 3, "laid"}}},
			{"two bricks", two, []client.Progress{{1, 2, "laid"}, {2, 2, "laid"}}},
			{"who is busy", busy, []client.Progress{{1, 4, "laid"}, {3, 4, "laid"}, {4, 4, "laid"}}},
			{"who asked for none", none, nil},
		} {
			if !slices.Equal(tt.got, tt.want) {
				t.Errorf("%s: told %v, want %v", tt.who, tt.got, tt.want)
			}
		}
	})
}
