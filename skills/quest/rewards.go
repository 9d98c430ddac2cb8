package quest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// rewards is what the server understands of the rewards of a quest.
type rewards struct {
	Items []item
	XP    int64
	Stats map[string]float64
	Game  *action.Play
	Event string
}

// item is some of a kind of items.
type item struct {
	ItemID   string `json:"itemId" validate:"min=1,max=64"`
	Quantity int    `json:"quantity" validate:"gte=1,lte=1000000" jsonschema:"default=1"`
}

// readRewards reads what is understood of rewards. What is wrong with that is named from rewards on.
func readRewards(given registry.Object) (r rewards, err error) {
	if _, err := config.Read("rewards", given, "items", &r.Items); err != nil {
		return r, err
	}
	if len(r.Items) > MaxObjectives {
		return r, registry.Invalidf("rewards.items: must have at most %d items, got %d", MaxObjectives, len(r.Items))
	}
	if there, err := config.Read("rewards", given, "xp", &r.XP); err != nil || there && r.XP < 1 {
		return r, registry.Invalidf("rewards.xp: must be a whole number from 1 on: how much experience")
	}
	if raw := wire.Member(given, "stats"); raw != nil {
		if json.Unmarshal(raw, &r.Stats) != nil || r.Stats == nil {
			return r, registry.Invalidf(`rewards.stats: must be numbers by the names of stats, {"gold":50}`)
		}
	}
	if wire.Member(given, "game") != nil {
		r.Game = new(action.Play)
		if _, err := config.Read("rewards", given, "game", r.Game); err != nil {
			return r, err
		}
	}
	_, err = config.Read("rewards", given, "event", &r.Event)
	return r, err
}

// check reports why a caller with g may not define such rewards: they are given later, when nobody is there to be told.
func (r *rewards) check(g profiles.Grants) error {
	for _, n := range [...]struct {
		field string
		asked bool
		needs profiles.Permission
	}{
		{"items", len(r.Items) > 0, "inventory.write"},
		{"xp", r.XP > 0, "progression.write"},
		{"stats", len(r.Stats) > 0, "stats.write"},
		{"event", r.Event != "", "event.write"},
	} {
		if n.asked && !g.Has(n.needs) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which rewards.%s needs", n.needs, n.field)
		}
	}
	if len(r.Items) > 0 {
		if err := inventory.MayMake(g); err != nil {
			return registry.Under("rewards.items", err)
		}
	}
	if err := stats.CheckChanges("rewards.stats", r.Stats); err != nil {
		return err
	}
	if len(r.Event) > 128 {
		return registry.Invalidf("rewards.event: must have at most 128 characters")
	}
	if err := action.CheckName("rewards.event", r.Event); err != nil {
		return err
	}
	return r.Game.Check(g, "rewards.game")
}

// some reports whether the server gives anything of them.
func (r *rewards) some() bool {
	return len(r.Items) > 0 || r.XP > 0 || len(r.Stats) > 0 || r.Game != nil || r.Event != ""
}

// owes says why somebody is not given yet what a quest is done for, "" where he is: all of it is the doing of the quest's author, for whom nothing is done while he is banned. Who has done
// it has done nothing wrong, and is given it when that ends.
func (q *Quests) owes(v *world.View, row *quest) string {
	err := q.deps.Does.Barred(v, row.By)
	if err == nil {
		return ""
	}
	if r, bad := readRewards(row.Rewards); bad != nil || !r.some() {
		return ""
	}
	return "rewards: " + registry.Said(err) + "; they are given once that ends"
}

// settle gives somebody what he is owed, each time one of it, unless it is still not to be given. What is left is for the next step.
func (q *Quests) settle(tx *world.Tx, id world.ID) error {
	log, _ := q.logs.Get(&tx.View, id)
	for i := range log {
		if log[i].Owed == 0 {
			continue
		}
		row, there := q.quests.Get(&tx.View, log[i].Quest)
		if !there || q.deps.Does.Rests(&tx.View, row.By) {
			continue
		}
		if err := q.deps.Does.Try(tx, "quest", row.By, map[string]string{"entity": id.String(), "questId": log[i].Quest}, func() error {
			e, _ := q.entry(&tx.View, id, log[i].Quest)
			if e.Owed--; e.Owed > 0 {
				q.moved = append(q.moved, id)
			}
			if err := q.put(tx, id, e); err != nil {
				return err
			}
			return q.tell(tx, "rewarded", id, row.By, &told{Quest: e.Quest, Name: e.Name, Rewards: row.Rewards, Missed: q.give(tx, id, &row)})
		}); err != nil {
			return err
		}
	}
	return nil
}

// lookAtOwed has all be looked at in the next step who are owed something.
func (q *Quests) lookAtOwed(v *world.View) {
	for id, log := range q.logs.All(v) {
		if slices.ContainsFunc(log, func(e entry) bool { return e.Owed > 0 }) {
			q.moved = append(q.moved, id)
		}
	}
}

// give gives somebody what a quest is done for, and returns what of it could not be given, and why. Each is given by itself.
func (q *Quests) give(tx *world.Tx, id world.ID, row *quest) (missed []string) {
	r, err := readRewards(row.Rewards)
	if err != nil {
		return []string{registry.Said(err)}
	}
	try := func(what string, give func() error) {
		mark := tx.Savepoint()
		if err := give(); err != nil {
			tx.RollbackTo(mark)
			missed = append(missed, "rewards."+what+": "+registry.Said(err))
		}
	}
	for i := range r.Items {
		try(fmt.Sprintf("items[%d]", i), func() error { return q.hand(tx, id, &r.Items[i]) })
	}
	if r.XP > 0 {
		try("xp", func() error {
			_, err := q.deps.Book.Gain(tx, id, r.XP, row.By)
			return err
		})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Stats)) {
		try("stats", func() error {
			return q.deps.Stats.Earn(tx, id, name, r.Stats[name])
		})
	}
	if r.Game != nil {
		try("game", func() error { return q.deps.Does.Play(tx, row.By, r.Game) })
	}
	if r.Event != "" {
		try("event", func() error { return q.deps.Does.Announce(tx, action.Event{Name: r.Event, Entity: id, By: row.By}) })
	}
	return missed
}

// hand puts items into somebody's inventory, which he gets if he has none.
func (q *Quests) hand(tx *world.Tx, id world.ID, it *item) error {
	if !q.deps.Owned.Keeps(&tx.View, id) {
		if err := q.deps.Owned.Open(tx, id, inventory.Capacity, nil); err != nil {
			return err
		}
	}
	_, why, err := q.deps.Owned.Add(tx, id, it.ItemID, it.Quantity, nil)
	if err == nil && why != "" {
		err = registry.Failf("%s", why)
	}
	return err
}
