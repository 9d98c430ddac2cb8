package stats_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// one is an entity as the test sees it: all numbers are halves, so that they are exact.
type one struct {
	hp, most, armor float64
	kept            float64 // by its stance
	keeps           int     // for so many steps more
	effects         []*on
}

type on struct {
	id            int
	kind          string
	magnitude     float64
	age, end, per int // in steps
}

func (o *one) hurt(amount float64, inner bool) {
	if o.hp == 0 {
		return
	}
	if !inner {
		armor := o.armor
		for _, e := range o.effects {
			if e.kind == "buff" {
				armor += e.magnitude
			}
		}
		if less := amount - max(0, armor)/2; less > 1 {
			amount = less
		} else if amount > 1 {
			amount = 1
		}
		if o.keeps > 0 {
			amount *= 1 - o.kept
		}
	}
	for i := 0; i < len(o.effects); i++ {
		e := o.effects[i]
		if e.kind != "shield" {
			continue
		}
		for amount > 0 && e.magnitude > 0 {
			taken := min(amount, e.magnitude, 0.125)
			amount, e.magnitude = amount-taken, e.magnitude-taken
		}
		if e.magnitude == 0 {
			o.effects = slices.Delete(o.effects, i, i+1)
			i--
		}
	}
	o.hp = max(0, o.hp-amount)
}

func (o *one) step() {
	for _, e := range slices.Clone(o.effects) {
		if !slices.Contains(o.effects, e) {
			continue
		}
		e.age++
		if e.per > 0 && e.age%e.per == 0 && (e.kind == "poison" || e.kind == "burn") {
			o.hurt(e.magnitude, true)
		}
		if e.age == e.end {
			o.effects = slices.DeleteFunc(o.effects, func(other *on) bool { return other == e })
		}
	}
	if o.keeps > 0 {
		o.keeps--
	}
}

// TestAgainstOne has this and that done to an entity, and compares it with one that counts its steps one by one.
func TestAgainstOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		half := func(lo, hi int, what string) float64 { return float64(rapid.IntRange(2*lo, 2*hi).Draw(rt, what)) / 2 }
		o := &one{hp: half(1, 60, "hp"), armor: half(0, 9, "armor")}
		o.most = o.hp
		given := 0
		r.give(fmt.Sprintf(`{"name":"hp","value":%v},{"name":"defense","value":%v}`, o.hp, o.armor))
		for range rapid.IntRange(1, 30).Draw(rt, "turns") {
			switch rapid.IntRange(0, 6).Draw(rt, "turn") {
			case 0:
				amount := half(1, 20, "amount")
				r.Do("damage.apply", `{"targetEntity":"ent_0","amount":%v}`, amount)
				o.hurt(amount, false)
			case 1:
				amount := half(1, 20, "amount")
				r.Do("damage.heal", `{"targetEntity":"ent_0","amount":%v}`, amount)
				o.hp = min(o.most, o.hp+amount)
			case 2:
				e := &on{
					id: given, kind: rapid.SampledFrom([]string{"poison", "burn", "shield", "buff", "stun"}).Draw(rt, "kind"), magnitude: half(1, 8, "magnitude"),
					end: rapid.IntRange(1, 40).Draw(rt, "end"), per: rapid.IntRange(1, 15).Draw(rt, "per"),
				}
				if len(o.effects) == 16 {
					continue
				}
				r.Do("status.apply", `{"targetEntity":"ent_0","type":%q,"duration":%v,"tickInterval":%v,"magnitude":%v,"config":{"stat":"defense"}}`,
					e.kind, (float64(e.end)-0.5)/60, (float64(e.per)-0.5)/60, e.magnitude)
				o.effects = append(o.effects, e)
				given++
			case 3:
				if len(o.effects) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(o.effects)-1).Draw(rt, "which")
				r.Do("status.remove", `{"targetEntity":"ent_0","effectId":"eff_%d"}`, o.effects[i].id)
				o.effects = slices.Delete(o.effects, i, i+1)
			case 4:
				kept, keeps := half(0, 1, "kept"), rapid.IntRange(1, 30).Draw(rt, "keeps")
				r.Do("combat.defend", `{"entity":"ent_0","duration":%v,"damageReduction":%v}`, (float64(keeps)-0.5)/60, kept)
				if o.hp > 0 && !slices.ContainsFunc(o.effects, func(e *on) bool { return e.kind == "stun" }) { // else it cannot
					o.kept, o.keeps = kept, keeps
				}
			default:
				for range rapid.IntRange(1, 25).Draw(rt, "steps") {
					r.Steps(1)
					o.step()
				}
			}
			if got := r.stat("ent_0", "hp"); got != o.hp {
				rt.Fatalf("it has %v left, want %v", got, o.hp)
			}
			var list struct {
				Effects []struct {
					ID        string
					Magnitude float64
				}
			}
			if err := json.Unmarshal([]byte(r.Do("status.list", `{"targetEntity":"ent_0"}`)), &list); err != nil {
				rt.Fatal(err)
			}
			got, want := fmt.Sprint(list.Effects), "["
			for i, e := range o.effects {
				if i > 0 {
					want += " "
				}
				want += fmt.Sprintf("{eff_%d %v}", e.id, e.magnitude)
			}
			if want += "]"; got != want {
				rt.Fatalf("on it are %s, want %s", got, want)
			}
		}
	})
}
