package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// BenchmarkKept makes calls that change the world, 64 of them in flight, while it is kept with its trace and without.
func BenchmarkKept(b *testing.B) {
	for _, bm := range []struct {
		name string
		keep int64
	}{{"trace=none", -1}, {"trace=kept", 0}} {
		b.Run(bm.name, func(b *testing.B) {
			e, err := engine.New(engine.Config{Rigid: true, TraceKeep: bm.keep})
			if err != nil {
				b.Fatal(err)
			}
			if err := e.Keep(b.TempDir()); err != nil {
				b.Fatal(err)
			}
			grants, err := e.Profiles.Resolve("builder.readWrite")
			if err != nil {
				b.Fatal(err)
			}
			p := &profiles.Principal{Kind: profiles.KindOperator, ID: "ann", Session: "s", Profile: "builder.readWrite", Grants: grants}
			call := func(skill, input string, dst []byte) []byte {
				res := e.Registry.Invoke(context.Background(), &registry.Request{Name: skill, Input: []byte(input), Principal: p}, dst)
				if res.Err != nil {
					b.Error(res.Err)
				}
				return res.Output[:0]
			}
			err = e.Run(b.Context(), func(context.Context) error {
				call("scene.createEntity", `{"shape":"box","size":1.5,"color":16746496,"position":[1,2,3]}`, nil)
				b.ResetTimer()
				var all sync.WaitGroup
				for n := range 64 {
					all.Go(func() {
						var dst []byte
						for range b.N/64 + min(1, max(0, b.N%64-n)) {
							dst = call("three.setTransform", `{"entity":"ent_0","position":[4,5,6]}`, dst)
						}
					})
				}
				all.Wait()
				b.StopTimer()
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
