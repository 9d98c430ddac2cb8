package replica_test

import (
	"fmt"

	"github.com/limina-mcp/limina/statesync/replica"
)

// A client that asked for packed messages gets a snapshot and a delta, and then, on a new connection, what it missed.
func Example() {
	var held replica.Copy
	for _, frame := range []string{
		`{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":7,"step":0,"precision":6,"entered":[[0,4,64,0,0],[1,9,0,32,0]],` +
			`"aoi":{"center":[0,0,0],"radius":20},"world":{},"tables":[],"epoch":"monday"}}`,
		`{"causedBy":[12],"moved":[1,64,0,0]}`,
		`{"jsonrpc":"2.0","method":"state/delta","params":{"tick":30,"step":0,"resumed":true,"precision":6,"gone":[1],"moved":[1,0,0,-96],` +
			`"aoi":{"center":[0,0,0],"radius":20}}}`,
	} {
		updates, err := held.Text([]byte(frame))
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, u := range updates {
			fmt.Println("tick", u.View.Tick, "changed", u.Changed, "removed", u.Removed, "by", u.CausedBy)
		}
	}
	for number, e := range held.View("").Entities {
		fmt.Println("entity", number, "is at", e.Pos)
	}
	// Output:
	// tick 7 changed [4 9] removed [] by []
	// tick 8 changed [4] removed [] by [12]
	// tick 30 changed [4] removed [9] by []
	// entity 4 is at [2 0 -1.5]
}
