package stats_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// TestOnHurt has somebody told of each blow that takes health, and which part of it that is.
func TestOnHurt(t *testing.T) {
	r := newRoom(t)
	var heard []string
	var stop error
	r.stats.OnHurt(func(_ *world.Tx, b *stats.Blow, w *stats.Wound) error {
		heard = append(heard, fmt.Sprintf("%s %v of it, killed %t", b.Target, w.Part, w.Killed))
		return stop
	})
	hears := func(when string, want ...string) {
		t.Helper()
		if !slices.Equal(heard, want) {
			t.Errorf("%s: %q, want %q", when, heard, want)
		}
		heard = nil
	}
	hurt := func(amount float64) {
		t.Helper()
		r.Do("damage.apply", `{"targetEntity":"ent_0","amount":%v}`, amount)
	}
	r.give(`{"name":"hp","value":80,"maxValue":100}`)
	hurt(25)
	hears("a quarter of the most", "ent_0 0.25 of it, killed false")
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"shield","duration":9,"magnitude":10}`)
	hurt(10)
	hears("what a shield takes")
	stop = errors.New("no")
	if _, err := r.Call(r.Ann, "damage.apply", `{"targetEntity":"ent_0","amount":5}`); err == nil || r.stat("ent_0", "hp") != 55 {
		t.Errorf("a blow that somebody refuses: %v, and %v is left of 55", err, r.stat("ent_0", "hp"))
	}
	hears("a blow that is refused", "ent_0 0.05 of it, killed false")
	stop = nil
	hurt(999)
	hears("the last of it", "ent_0 0.55 of it, killed true")
	hurt(1)
	hears("who has none left")
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"poison","duration":1,"magnitude":10}`)
	r.Do("damage.heal", `{"targetEntity":"ent_0","amount":50}`)
	r.Steps(60)
	hears("poison", "ent_0 0.1 of it, killed false")
}
