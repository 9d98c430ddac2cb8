// Package registry holds Limina's skills and the one way to run them.
//
// A skill is declared as a [Spec] of two plain Go structs and a handler, compiled once by [Define]
// and added to a [Registry]. From then on every call of it, from engine code by [Invoke] or from a
// client's bytes by [Registry.Invoke], takes the same way:
//
//	resolve → validate → permission → gate → recorder → handler → output → recorder → events → commit
//
// Whatever fails on that way leaves no mark but one event that says who was refused what, and why;
// calls inside it that were refused keep theirs.
//
//	ping := registry.Define(registry.Spec[PingIn, PingOut]{
//		Name:        "demo.ping",
//		Description: "Answer with the text that was sent.",
//		Permissions: []profiles.Permission{profiles.Anyone},
//		Effect:      registry.Reads,
//		Handle: func(c *registry.Call, in PingIn) (PingOut, error) {
//			return PingOut{Text: in.Text}, nil
//		},
//	})
//
// Beside skills a Registry holds [Resources], which are read, and [Prompts], which are ways to begin
// for people. To read the one and to get the other is a call too, by the same pipeline: of a skill that no
// list shows, "resource.entity" or "prompt.build".
//
// The package knows neither the world nor any wire: a handler opens what it changes as a
// [Transaction] on its [Call], and the pipeline ends it.
package registry
