package profiles_test

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
)

// A skill declares what it needs, a session resolves what its profile grants, and each call compares the two.
func Example() {
	set := profiles.Builtin()
	grants, err := set.Resolve("system.readonly")
	if err != nil {
		fmt.Println(err)
		return
	}
	caller := profiles.Principal{Kind: profiles.KindAgent, ID: "mason", Session: "s1", Profile: "system.readonly", Grants: grants}

	query := profiles.Require("scene.read")
	build := profiles.Require("scene.read", "scene.write")
	help := profiles.Require(profiles.Anyone)
	for _, need := range []profiles.Need{query, build, help} {
		if p, missing := caller.Grants.Missing(need); missing {
			fmt.Println("missing permission:", p)
			continue
		}
		fmt.Println("allowed")
	}
	// Output:
	// allowed
	// missing permission: scene.write
	// allowed
}

// A file adds profiles to the built-in ones.
func ExampleSet_With() {
	set, err := profiles.Builtin().With([]byte(`
profiles:
  mason:
    extends: [vfx.writer]
    grants: [social.act]
`), "mason.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	grants, _ := set.Resolve("mason")
	fmt.Println(grants.List())

	_, err = set.With([]byte("profiles:\n  guest:\n    grants: [scene read]\n"), "guest.yaml")
	fmt.Println(err)
	// Output:
	// [animation.write ecs.read scene.read social.act vfx.write]
	// guest.yaml:3: permission "scene read" is malformed: want words joined by dots, each a lower-case letter followed by letters, digits, '-' or '_', such as "scene.write"
}
