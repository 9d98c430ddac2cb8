package engine_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os/signal"
	"syscall"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/world"
)

// Orbit is a component: where an entity flies its circles.
type Orbit struct {
	Center world.Vec3 `json:"center"`
	Radius float64    `json:"radius"`
	Angle  float64    `json:"angle"`
}

// LaunchIn is the input of sky.launch. A field with a default has no omitempty.
type LaunchIn struct {
	Center world.Vec3 `json:"center" jsonschema_description:"What is flown around."`
	Radius float64    `json:"radius" validate:"gt=0,lte=100" jsonschema:"default=2" jsonschema_description:"In metres."`
}

// LaunchOut is the output of sky.launch.
type LaunchOut struct {
	Entity world.ID `json:"entity"`
}

// sky adds to a world: state, what simulation steps do with it, and a skill that makes some.
func sky(w *world.World) registry.Skill {
	orbits := world.NewComponent[Orbit](w, "orbit")
	at := func(o Orbit) world.Vec3 {
		return o.Center.Add(world.Vec3{float64(o.Radius * math.Cos(o.Angle)), 0, float64(o.Radius * math.Sin(o.Angle))})
	}
	w.OnStep("orbits", func(tx *world.Tx) error {
		for id, o := range orbits.All(&tx.View) {
			o.Angle += math.Pi / 120
			if err := orbits.Set(tx, id, o); err != nil {
				return err
			}
			if err := tx.SetPosition(id, at(o)); err != nil {
				return err
			}
		}
		return nil
	}, func(v *world.View) world.Activity {
		if orbits.Len(v) == 0 {
			return world.Idle
		}
		return world.Waiting // there is something to do, while somebody is there to see it
	})
	return registry.Define(registry.Spec[LaunchIn, LaunchOut]{
		Name:        "sky.launch",
		Description: "Launch a satellite that flies around a point for ever.",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in LaunchIn) (LaunchOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (out LaunchOut, err error) {
				o := Orbit{Center: in.Center, Radius: in.Radius}
				if out.Entity, err = tx.Create(world.Spec{Position: at(o), Name: "satellite"}); err != nil {
					return out, err
				}
				return out, orbits.Set(tx, out.Entity, o)
			})
		},
	})
}

// A skill with state of its own, tried out without a server: nobody calls Run, so time passes by
// World.Step alone.
func ExampleEngine() {
	e, err := engine.New(engine.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	if err := e.Registry.Register(sky(e.World)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Registry.Check(), e.World.Check()) // mistakes in tags and types, which nobody looks for at a start

	ada, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		log.Fatal(err)
	}
	defer ada.Close()
	ctx := context.Background()
	in := registry.Default[LaunchIn]()
	in.Center = world.Vec3{10, 0, 0}
	out, err := mcp.Invoke[LaunchIn, LaunchOut](ctx, e.Mcp, ada, "sky.launch", in)
	fmt.Println(out.Entity, err)

	for range 60 { // a second
		e.World.Step(ctx)
	}
	e.World.View(func(v *world.View) {
		p, _ := v.Position(out.Entity)
		fmt.Printf("%.3f\n", p)
	})
	fmt.Println(e.Mcp.CallTool(ctx, ada, mcp.Request{Tool: "sky.launch", Input: []byte(`{"center": [0, 0, 0], "radius": -1}`)}).Error.Message)
	// Output:
	// <nil> <nil>
	// ent_0 <nil>
	// [10.000 0.000 2.000]
	// radius: must be greater than 0 and at most 100, got -1
}

// A host program that serves a world with a skill of its own over WebSocket and HTTP, until it is told
// to end. Beyond this machine it would need tokens, which both the server and the MCP core look up.
func ExampleEngine_Run() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	tokens, err := server.LoadTokens("tokens.yaml", profiles.Builtin())
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Config{MCP: mcp.Options{Tokens: tokens.Credential}})
	if err != nil {
		log.Fatal(err)
	}
	if err := e.Registry.Register(sky(e.World)); err != nil {
		log.Fatal(err)
	}
	if err := e.Ban(tokens.Banned()); err != nil { // what they have set up in the world rests; behind e.Keep, where the world is kept
		log.Fatal(err)
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: "127.0.0.1:8787", Tokens: tokens, Figures: e.Figures})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", s.Address())
	if err := e.Run(ctx, s.Run); err != nil {
		log.Fatal(err)
	}
}
