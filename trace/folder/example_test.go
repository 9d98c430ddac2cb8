package folder_test

import (
	"fmt"
	"os"

	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/trace/folder"
)

// What was done in one process is known in the next.
func Example() {
	dir, err := os.MkdirTemp("", "trace")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, actor := range []string{"ann", "ben"} {
		log := trace.New(trace.Options{})
		f, err := folder.Open(log, dir, folder.Options{})
		if err != nil {
			panic(err)
		}
		if _, err := log.Append(nil, trace.Draft{Type: "church.destroyed", Actor: actor}); err != nil {
			panic(err)
		}
		events, _ := log.Tail(trace.Filter{})
		for _, e := range events {
			fmt.Println(e.ID, e.Type, e.ActorID)
		}
		if err := f.Close(); err != nil {
			panic(err)
		}
	}
	// Output:
	// evt_0 church.destroyed ann
	// evt_0 church.destroyed ann
	// evt_1 church.destroyed ben
}
