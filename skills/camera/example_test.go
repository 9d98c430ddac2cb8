package camera_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/camera"
	"github.com/limina-mcp/limina/world"
)

// A camera looks down on something from ten metres away, and what that sees is asked for.
func Example() {
	w := world.New(world.Config{})
	cameras := camera.New(camera.Deps{World: w})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(camera.All(cameras)...); err != nil {
		fmt.Println(err)
		return
	}
	var ball world.ID
	_, err := w.Update(context.Background(), func(tx *world.Tx) (err error) {
		ball, err = tx.Create(world.Spec{Position: world.Vec3{2, 0, 0}})
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("camera.write")}
	input := fmt.Sprintf(`{"target":%q,"distance":10,"angle":1.5}`, ball)
	res := r.Invoke(context.Background(), &registry.Request{Name: "camera.topDown", Input: []byte(input), Principal: p}, nil)
	if res.Err != nil {
		fmt.Println(res.Err)
		return
	}
	w.View(func(v *world.View) {
		shot, err := cameras.Shot(v, p, "")
		fmt.Printf("%.1f %.1f %v %v\n", shot.Position, shot.LookAt, shot.FOV, err)
	})
	// Output:
	// [2.0 10.0 0.7] [2.0 0.0 0.0] 60 <nil>
}
