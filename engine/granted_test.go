package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// A call that was held, was granted, and takes a while, changes nothing if its author has been banned meanwhile, or may not make it any more.
func TestGrantedCallOfTheBanned(t *testing.T) {
	for name, tt := range map[string]struct {
		meanwhile func(p *place, known *profiles.Set) error
		want      string
	}{
		"nothing": {func(*place, *profiles.Set) error { return nil }, `"applied":true`},
		"banned":  {func(p *place, _ *profiles.Set) error { return p.Ban([]string{"eve"}) }, "eve is banned from this server by now"},
		"reduced": {func(p *place, known *profiles.Set) error {
			less, err := profiles.Builtin().With([]byte("profiles: {builder.review: {replace: true, grants: [scene.read]}}"), "file")
			if err != nil {
				return err
			}
			known.Replace(less)
			_, err = p.Reprofile()
			return err
		}, "the profile builder.review does not grant any more what it did"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				known := profiles.Builtin()
				p := start(t, engine.Config{Profiles: known, Review: []string{"builder.review"}, Always: true, MCP: mcp.Options{Allowed: []string{"builder.readWrite", "builder.review", "reviewer"}}})
				begun, on := make(chan string, 1), make(chan struct{}, 1)
				if err := p.Registry.Register(registry.Define(registry.Spec[NothingIn, NothingOut]{
					Name: "demo.tower", Description: "Build for a while.", Permissions: []profiles.Permission{"scene.write"}, Effect: registry.Writes, Slow: true, Timeout: time.Hour,
					Handle: func(c *registry.Call, _ NothingIn) (NothingOut, error) {
						begun <- c.Principal().ID
						<-on
						return world.Do(p.World, c, func(tx *world.Tx) (NothingOut, error) {
							_, err := tx.Create(world.Spec{Name: "tower"})
							return NothingOut{}, err
						})
					},
				})); err != nil {
					t.Fatal(err)
				}
				if got := p.as("eve", "builder.review", "demo.tower", `{}`); got != "pending_approval: apr_1" {
					t.Fatal(got)
				}
				said := make(chan string, 1)
				go func() { said <- p.as("rita", "reviewer", "approval.grant", `{"approvalId":"apr_1"}`) }()
				if who := <-begun; who != "eve" {
					t.Fatalf("it is a call of %s", who)
				}
				if err := tt.meanwhile(p, known); err != nil {
					t.Fatal(err)
				}
				on <- struct{}{}
				got := <-said
				if !strings.Contains(got, tt.want) {
					t.Errorf("rita is told %q, want %q", got, tt.want)
				}
				towers := 0
				p.World.View(func(v *world.View) { towers = v.Len() })
				if want := map[bool]int{true: 1}[name == "nothing"]; towers != want {
					t.Errorf("there are %d towers, want %d", towers, want)
				}
			})
		})
	}
}
