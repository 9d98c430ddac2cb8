package statesync_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// client pulls as fast as it is woken and keeps a copy.
type client struct {
	feed *statesync.Feed
	look func() // before it pulls
	wake chan struct{}
	mu   sync.Mutex // guards copy
	copy replica.Copy
	err  error

	events int // that were told
}

func newClient(h *statesync.Hub) *client {
	c := &client{wake: make(chan struct{}, 1), look: func() {}}
	c.feed = h.Connect(func() {
		select {
		case c.wake <- struct{}{}:
		default:
		}
	})
	return c
}

func (c *client) apply(frame []byte, kind statesync.Frame) {
	updates, err := apply(&c.copy, kind == statesync.BinaryFrame, frame)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("%w in %q", err, frame)
	}
	for _, u := range updates {
		c.events += len(u.Events)
	}
}

// drain pulls what is due. The frames of one connection have to be applied in the order in which they
// were made, so the lock is held over both.
func (c *client) drain() {
	c.look()
	c.mu.Lock()
	defer c.mu.Unlock()
	var buf []byte
	for {
		frame, kind := c.feed.Append(buf[:0])
		if kind == statesync.NoFrame {
			return
		}
		c.apply(frame, kind)
		buf = frame
	}
}

func (c *client) subscribe(o statesync.Options) (*statesync.View, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frame, v, err := c.feed.Subscribe(nil, o)
	if err != nil {
		return nil, err
	}
	c.apply(frame, v.Frame())
	v.Start()
	return v, nil
}

func (c *client) declare(v *statesync.View, a statesync.Area) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	frame, err := v.Declare(nil, a)
	if err != nil {
		return err
	}
	if len(frame) > 0 {
		c.apply(frame, v.Frame())
	}
	v.Start()
	return nil
}

// run pulls until done is closed.
func (c *client) run(done <-chan struct{}) {
	for {
		select {
		case <-c.wake:
			c.drain()
		case <-done:
			return
		}
	}
}

// TestConcurrently has committers, pullers and clients that change their areas work on each other, and
// compares copies and world when all is quiet. It is worth running with -race.
func TestConcurrently(t *testing.T) {
	const committers, clients, rounds = 2, 6, 300
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{History: 200})
	hub.InPieces(20)
	var ids []world.ID
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for i := range 200 {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i % 50), 0, float64(i / 4)}})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var pulling, working sync.WaitGroup
	done := make(chan struct{})
	all := make([]*client, clients)
	feeds := []*statesync.Feed{statesync.New(world.New(world.Config{}), statesync.Config{}).Connect(nil)} // of another hub
	for i := range all {
		all[i] = newClient(hub)
		all[i].look = func() { hub.Ahead(feeds[i%2:]) }
		feeds = append(feeds, all[i].feed)
	}
	encodings := []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary}
	for i := range all {
		c := all[i]
		pulling.Go(func() { c.run(done) })
		working.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			area := func() statesync.Area {
				if rng.IntN(8) == 0 {
					return statesync.Whole()
				}
				return statesync.Within(point(rng), rng.Float64()*20)
			}
			for n := range rounds / 10 {
				o := statesync.Options{Name: fmt.Sprint(n % 2), Area: area(), Encoding: encodings[rng.IntN(3)], Batch: rng.IntN(2) == 0}
				v, err := c.subscribe(o)
				if err != nil {
					t.Error(err)
					return
				}
				for range 3 {
					if err := c.declare(v, area()); err != nil {
						t.Error(err)
					}
				}
				_ = hub.Stats()
			}
		})
	}
	for k := range committers {
		working.Go(func() {
			rng := rand.New(rand.NewPCG(2, uint64(k)))
			for n := range rounds {
				_, err := w.Update(context.Background(), func(tx *world.Tx) error { return stir(w, tx, rng, ids, n) })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	close(done)
	pulling.Wait()
	if err := hub.Check(); err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		c.drain()
		if c.err != nil {
			t.Fatal(c.err)
		}
		for _, v := range c.feed.Views() {
			if diff := gocmp.Diff(expected(w, v.Area()), got(c.copy.View(v.Name()))); diff != "" {
				t.Errorf("client %d, view %s, %s (-is +copy):\n%s", i, v.Name(), v.Encoding(), diff)
			}
		}
		c.feed.Close()
	}
	if err := hub.Check(); err != nil {
		t.Fatal(err)
	}
}

// stir changes a few entities.
func stir(w *world.World, tx *world.Tx, rng *rand.Rand, ids []world.ID, n int) error {
	for range 5 {
		id := ids[rng.IntN(len(ids))]
		if !tx.Exists(id) {
			continue
		}
		var err error
		switch rng.IntN(12) {
		case 0:
			tx.Destroy(id)
		case 1:
			err = w.Shapes.Set(tx, id, world.Shape{Kind: "box", Color: uint32(n)})
		case 2:
			_, err = tx.Create(world.Spec{Position: point(rng), Name: fmt.Sprint(n)})
		case 3:
			err = tx.Moment(world.Moment{Kind: "ping", Payload: json.RawMessage(`{}`)})
		default:
			err = tx.SetPosition(id, point(rng))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// point returns a place that every encoding can tell exactly.
func point(rng *rand.Rand) world.Vec3 {
	return world.Vec3{float64(rng.IntN(3200)) / 64, 0, float64(rng.IntN(3200)) / 64}
}

// expected is what a copy of an area has to hold.
func expected(w *world.World, a statesync.Area) map[uint64]string {
	out := map[uint64]string{}
	w.View(func(v *world.View) {
		for id := range v.All() {
			p, _ := v.Position(id)
			if !a.Holds(p) {
				continue
			}
			var e struct {
				Name  string
				Shape json.RawMessage
			}
			_ = json.Unmarshal(w.AppendEntity(nil, v, id), &e)
			out[id.Number()] = fmt.Sprintf("%v %q %s", p, e.Name, e.Shape)
		}
	})
	return out
}

func got(v *replica.View) map[uint64]string {
	out := map[uint64]string{}
	for n, e := range v.Entities {
		var name string
		_ = json.Unmarshal(e.Parts["name"], &name)
		out[n] = fmt.Sprintf("%v %q %s", e.Pos, name, e.Parts["shape"])
	}
	return out
}
