package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/limina-mcp/limina/client"
)

// builder is somebody who builds a street and watches those beside it.
type builder struct {
	name   string
	client *client.Client
	view   *client.View // of the street and those beside it
	street street
	near   []street // what the view holds
	houses int
	pace   time.Duration
	built  int // entities
}

// arrive opens a session.
func arrive(ctx context.Context, p plan, name string) (*client.Client, error) {
	return client.Dial(ctx, client.Options{URL: p.url, AgentID: name, Profile: "builder.readWrite", Token: p.token, Encoding: p.encoding})
}

// hire returns a builder for a street, who already looks at it.
func hire(ctx context.Context, p plan, name string, all []street, i int) (*builder, error) {
	c, err := arrive(ctx, p, name)
	if err != nil {
		return nil, err
	}
	b := &builder{name: name, client: c, street: all[i], near: neighbours(all, i), houses: p.houses, pace: p.pace}
	if b.view, err = c.Subscribe(ctx, client.Subscription{Area: b.street.area()}); err != nil {
		c.Close()
		return nil, err
	}
	return b, nil
}

// work builds the street: the road, then house after house with a tree before it.
func (b *builder) work(ctx context.Context) error {
	length := plot * float64(b.houses)
	if err := b.road(ctx, length); err != nil {
		return err
	}
	for i := range b.houses {
		x := b.street.start + plot*float64(i)
		side := float64(1 - 2*(i%2)) // of the road
		if err := b.house(ctx, x, side); err != nil {
			return err
		}
		if err := b.tree(ctx, x+plot/3, b.street.z-4*side); err != nil {
			return err
		}
		select {
		case <-time.After(b.pace):
		case <-ctx.Done():
			return fmt.Errorf("%s has built %d of %d houses: %w", b.name, i+1, b.houses, ctx.Err())
		}
	}
	return nil
}

func (b *builder) road(ctx context.Context, length float64) error {
	road, err := b.create(ctx, map[string]any{"shape": "box", "size": 1, "position": at(0, 0.05, b.street.z), "color": 0x555555, "static": true})
	if err != nil {
		return err
	}
	return call(ctx, b.client, "three.setTransform", map[string]any{"entity": road, "scale": at(length, 0.1, 4)}, nil)
}

func (b *builder) house(ctx context.Context, x, side float64) error {
	var made struct{ Entities []client.ID }
	err := call(ctx, b.client, "architecture.building", map[string]any{
		"position": at(x, 0, b.street.z+8*side), "rotation": math.Pi * (1 + side) / 2, // the door faces the road
		"color": 0xC8A27A,
	}, &made)
	if err != nil {
		return err
	}
	for _, id := range made.Entities {
		if err := b.own(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) tree(ctx context.Context, x, z float64) error {
	if _, err := b.create(ctx, map[string]any{"shape": "box", "size": 0.6, "position": at(x, 0.3, z), "color": 0x6B4A2B}); err != nil {
		return err
	}
	_, err := b.create(ctx, map[string]any{"shape": "sphere", "size": 1.8, "position": at(x, 1.4, z), "color": 0x4F8F3A})
	return err
}

// create makes an entity of the street.
func (b *builder) create(ctx context.Context, in map[string]any) (client.ID, error) {
	var made struct{ Entity client.ID }
	if err := call(ctx, b.client, "scene.createEntity", in, &made); err != nil {
		return 0, err
	}
	return made.Entity, b.own(ctx, made.Entity)
}

// own puts an entity down to the street.
func (b *builder) own(ctx context.Context, id client.ID) error {
	b.built++
	return call(ctx, b.client, "ecs.addComponent", map[string]any{"entity": id, "component": b.street.tag}, nil)
}

func at(x, y, z float64) [3]float64 { return [3]float64{x, y, z} }

// call calls a skill, and again if the server asks for patience.
func call(ctx context.Context, c *client.Client, skill string, in, out any) error {
	for {
		err := c.Call(ctx, skill, in, out)
		var refused *client.Error
		if !errors.As(err, &refused) || refused.Code != client.CodeCapacity {
			return err
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", skill, ctx.Err())
		}
	}
}
