// Command inprocess is engine code that uses Limina as a library: it declares a skill, registers it
// beside the catalogue, and calls it typed and by name, with no socket and no JSON of its own.
//
//	go run ./examples/inprocess
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// PlantIn is the input of garden.plant.
type PlantIn struct {
	Trees  int        `json:"trees" validate:"gte=1,lte=100" jsonschema_description:"How many trees."`
	Radius float64    `json:"radius" validate:"gt=0,lte=500" jsonschema:"default=10" jsonschema_description:"Radius of the circle that they stand on, in metres."`
	Center world.Vec3 `json:"center,omitempty" jsonschema_description:"Centre of the circle."`
}

// PlantOut is the output of garden.plant.
type PlantOut struct {
	Entities []world.ID `json:"entities" jsonschema_description:"The new trees."`
}

// plant is garden.plant: either all its trees come to stand, or none.
func plant(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[PlantIn, PlantOut]{
		Name:        "garden.plant",
		Description: "Plant trees in a circle.",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlantIn) (PlantOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (out PlantOut, err error) {
				for i := range in.Trees {
					a := 2 * math.Pi * float64(i) / float64(in.Trees)
					at := in.Center.Add(world.Vec3{float64(in.Radius * math.Cos(a)), 1, float64(in.Radius * math.Sin(a))})
					id, err := tx.Create(world.Spec{Position: at, Name: "tree", Tags: []string{"tree"}})
					if err != nil {
						return out, err
					}
					out.Entities = append(out.Entities, id)
				}
				return out, nil
			})
		},
	})
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	e, err := engine.New(engine.Config{})
	if err != nil {
		return err
	}
	if err := e.Registry.Register(plant(e.World)); err != nil {
		return err
	}
	gardener, err := e.Mcp.Open(mcp.Identity{AgentID: "gardener", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		return err
	}
	defer gardener.Close()

	// Typed: Go values in, Go values out.
	in := registry.Default[PlantIn]()
	in.Trees = 12
	planted, err := mcp.Invoke[PlantIn, PlantOut](ctx, e.Mcp, gardener, "garden.plant", in)
	if err != nil {
		return err
	}
	fmt.Println("planted", len(planted.Entities), "trees, the first is", planted.Entities[0])

	// By name, with JSON, as a client would: the answer says what is wrong.
	res := e.Mcp.CallTool(ctx, gardener, mcp.Request{Tool: "garden.plant", Input: []byte(`{"trees": 500}`)})
	fmt.Println("refused:", res.Error.Code, "-", res.Error.Message)

	// The catalogue's own skills are called the same way.
	query := registry.Default[scene.QueryEntitiesIn]()
	query.Tag = "tree"
	found, err := mcp.Invoke[scene.QueryEntitiesIn, scene.QueryEntitiesOut](ctx, e.Mcp, gardener, "scene.queryEntities", query)
	if err != nil {
		return err
	}
	fmt.Println("the world holds", len(found.Entities), "trees; newest commit:", e.World.Tick())
	return nil
}
