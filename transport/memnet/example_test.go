package memnet_test

import (
	"context"
	"fmt"
	"log"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// A host's test: what one client builds, another sees. In a test inside synctest.Test time does not pass while anybody has something to do.
func Example() {
	e, err := engine.New(engine.Config{})
	if err != nil {
		log.Fatal(err)
	}
	listener := memnet.Listen()
	s, err := server.On(listener, true, server.Config{Core: e.Mcp})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	running, stop := context.WithCancel(ctx)
	stopped := make(chan error)
	go func() { stopped <- e.Run(running, s.Run) }()

	ada, ben := dial(listener, "ada", "builder.readWrite"), dial(listener, "ben", "player.limited")
	view, err := ben.Subscribe(ctx, client.Subscription{Area: client.Whole()})
	if err != nil {
		log.Fatal(err)
	}
	if err := ada.Call(ctx, "scene.createEntity", map[string]any{"shape": "sphere", "name": "moon", "position": []float64{0, 40, 0}}, nil); err != nil {
		log.Fatal(err)
	}
	for range view.Updates(ctx) {
		if view.Len() == 1 {
			break
		}
	}
	for _, seen := range view.Entities() {
		var name string
		_, _ = seen.Component("name", &name)
		fmt.Println("Ben sees the", name, "at", seen.Position)
	}

	ada.Close()
	ben.Close()
	stop()
	fmt.Println(<-stopped)
	// Output:
	// Ben sees the moon at [0 40 0]
	// <nil>
}

func dial(l *memnet.Listener, agent, profile string) *client.Client {
	c, err := client.Dial(context.Background(), client.Options{URL: "ws://localhost", NetDial: l.DialContext, AgentID: agent, Profile: profile})
	if err != nil {
		log.Fatal(err)
	}
	return c
}
