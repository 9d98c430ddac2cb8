package rapier_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// A ball falls for a second. Hosts do not do this themselves: they give Runtime.Open to physics.New.
func Example() {
	runtime := rapier.New("")
	defer runtime.Close()
	e, err := runtime.Open(context.Background(), physics.Settings{Gravity: -10, TimeStep: 1.0 / 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	if _, err := e.Add(&physics.Body{
		Kind: physics.Dynamic, Form: physics.Form{Kind: physics.Ball, Radius: 0.5},
		Position: world.Vec3{0, 20, 0}, Rotation: world.NoRotation(),
	}); err != nil {
		fmt.Println(err)
		return
	}
	for range 60 {
		if err := e.Step(); err != nil {
			fmt.Println(err)
			return
		}
	}
	awake, err := e.Awake(nil)
	fmt.Printf("at a height of %.1f m, at %.1f m/s, %v\n", awake[0].Position[1], awake[0].Linear[1], err)
	// Output: at a height of 15.0 m, at -10.0 m/s, <nil>
}
