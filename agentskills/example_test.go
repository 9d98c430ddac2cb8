package agentskills_test

import (
	"fmt"
	"testing/fstest"

	"github.com/limina-mcp/limina/agentskills"
)

func ExampleLoad() {
	set, err := agentskills.Load(fstest.MapFS{
		"kites/SKILL.md":            {Data: []byte("---\nname: kites\ndescription: How to build kites that fly.\n---\n# Kites\n")},
		"kites/references/knots.md": {Data: []byte("# Knots\n")},
	}, "skill://")
	if err != nil {
		panic(err)
	}
	for _, k := range set.Skills() {
		fmt.Println(k.URI, "-", k.Description)
		for _, f := range k.Files {
			fmt.Println(f.URI, f.MIMEType, f.Size)
		}
	}
	// Output:
	// skill://kites/SKILL.md - How to build kites that fly.
	// skill://kites/SKILL.md text/markdown 70
	// skill://kites/references/knots.md text/markdown 8
}
