package quest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/quest"
)

// BenchmarkFullLog walks one whose log is full of places to come to, far away: the most that a step looks at for somebody who moves.
func BenchmarkFullLog(b *testing.B) {
	r := newRoom(b)
	for q := range quest.MaxOpen {
		var all []string
		for o := range quest.MaxObjectives {
			all = append(all, fmt.Sprintf(`{"id":"o%d","type":"reach","description":"d","config":{"position":[%d,0,900]}}`, o, o))
		}
		r.give(fmt.Sprintf("q%d", q), strings.Join(all, ","), "")
	}
	n := 0
	for b.Loop() {
		n++
		r.Do("three.setTransform", `{"entity":"ent_0","position":[%d,0,0]}`, n%100)
		r.Steps(1)
	}
}
