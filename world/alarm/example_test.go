package alarm_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/alarm"
)

// A world that steps by a timer of the kernel's, or by Go's where there is none.
func Example() {
	var config world.Config
	if a, err := alarm.New(); err == nil {
		config.Alarm = a
	}
	w := world.New(config)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w.OnStep("count", func(tx *world.Tx) error {
		if tx.Step() == 3 {
			stop()
		}
		return nil
	})
	fmt.Println(w.Run(ctx), w.Steps())
	// Output: context canceled 3
}
