package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
)

// Ada builds what Ben watches.
func Example() {
	url, stop := limina()
	defer stop()
	ctx := context.Background()

	ada, err := client.Dial(ctx, client.Options{URL: url, AgentID: "ada", Profile: "builder.readWrite"})
	if err != nil {
		log.Fatal(err)
	}
	defer ada.Close()
	ben, err := client.Dial(ctx, client.Options{URL: url, AgentID: "ben", Profile: "player.limited"})
	if err != nil {
		log.Fatal(err)
	}
	defer ben.Close()

	view, err := ben.Subscribe(ctx, client.Subscription{Area: client.Within([3]float64{0, 0, 0}, 20)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Ben sees", view.Len(), "entities")

	var house struct{ EntityCount int }
	if err := ada.Call(ctx, "architecture.building", map[string]any{"roofStyle": "flat"}, &house); err != nil {
		log.Fatal(err)
	}
	fmt.Println("Ada has built a house of", house.EntityCount, "parts")

	for range view.Updates(ctx) {
		if view.Len() == house.EntityCount+1 { // with the group that carries them
			break
		}
	}
	for _, e := range view.Entities()[:2] {
		var name string
		_, _ = e.Component("name", &name)
		fmt.Println("Ben sees", e.ID, name, "at", e.Position)
	}

	err = ben.Call(ctx, "scene.destroyEntity", map[string]any{"entity": view.Entities()[0].ID}, nil)
	var refused *client.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused)
	}
	// Output:
	// Ben sees 0 entities
	// Ada has built a house of 7 parts
	// Ben sees ent_0 backWall at [0 1.6 -2.875]
	// Ben sees ent_1 leftWall at [-3.875 1.6 0]
	// -32001 forbidden: missing permission: scene.write
}

// limina starts a server, as limina --mcp-ws does.
func limina() (url string, stop func()) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: "127.0.0.1:0"})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- e.Run(ctx, s.Run) }()
	return "ws://" + s.Address(), func() {
		cancel()
		<-stopped
	}
}
