package metrics_test

import (
	"fmt"

	"github.com/limina-mcp/limina/server/metrics"
)

// A host that counts something itself adds it to /metrics: the function is a server's Config.Figures.
func Example() {
	doors := map[string]float64{"east": 2, "west": 5}
	figures := func(m *metrics.Text) {
		m.Counter("town_doors_total", "Doors that were opened, by side.")
		for _, side := range []string{"east", "west"} {
			m.Add(doors[side], "side", side)
		}
	}

	var page metrics.Text
	figures(&page)
	fmt.Printf("%s", page.Bytes())
	// Output:
	// # HELP town_doors_total Doors that were opened, by side.
	// # TYPE town_doors_total counter
	// town_doors_total{side="east"} 2
	// town_doors_total{side="west"} 5
}
