package audio_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/world"
)

// A tone at a place reaches viewers as a moment, and its handle is good for as long as it sounds.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{})
	if err := r.Register(audio.All(audio.New(w))...); err != nil {
		panic(err)
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, m.At, string(m.Payload))
		}
	})
	defer stop()
	agent := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("audio.play")}

	in := audio.PlayAtIn{Freq: 440, Secs: 0.5, Position: world.Vec3{0, 2, 0}}
	out, err := registry.Invoke[audio.PlayAtIn, audio.SoundOut](ctx, r, agent, "audio.playAt", in)
	fmt.Println(out.Handle, err)

	for range 30 {
		w.Step(ctx)
	}
	ended, err := registry.Invoke[audio.StopIn, audio.SoundingOut](ctx, r, agent, "audio.stop", audio.StopIn{Handle: out.Handle.String()})
	fmt.Println(ended.OK, err)
	// Output:
	// audio.playAt [0 2 0] {"handle":"snd_0","freq":440,"secs":0.5,"bus":"sfx","volume":1}
	// snd_0 <nil>
	// false <nil>
}
