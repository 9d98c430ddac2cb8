package dialogue

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

// effects is what of the effects of a node or choice the server does.
type effects struct {
	game       *action.Play
	event      string
	give, take *items
	xp         int64
	stats      map[string]float64
}

// items are some of a kind.
type items struct {
	ItemID   string `json:"itemId" validate:"min=1,max=64"`
	Quantity int    `json:"quantity" validate:"gte=1,lte=1000000" jsonschema:"default=1"`
}

// readEffects reads effects. What is wrong is named from field on.
func readEffects(field string, o registry.Object) (e effects, err error) {
	if o == nil {
		return e, nil
	}
	if e.game, err = member[action.Play](field, o, "game"); err != nil {
		return e, err
	}
	if e.give, err = member[items](field, o, "give"); err != nil {
		return e, err
	}
	if e.take, err = member[items](field, o, "take"); err != nil {
		return e, err
	}
	if there, err := config.Read(field, o, "xp", &e.xp); err != nil || there && e.xp < 1 {
		return e, registry.Invalidf("%s.xp: must be a whole number from 1 on: how much experience", field)
	}
	if raw := wire.Member(o, "stats"); raw != nil {
		if json.Unmarshal(raw, &e.stats) != nil || e.stats == nil {
			return e, registry.Invalidf(`%s.stats: must be numbers by the names of stats, {"gold":-5}`, field)
		}
	}
	there, err := config.Read(field, o, "event", &e.event)
	if n := len(e.event); there && err == nil && (n < 1 || n > maxEvent) {
		err = registry.Invalidf("%s.event: must be the name of an event, of 1 to %d bytes, got %d", field, maxEvent, n)
	}
	return e, err
}

// told says what of effects is only told to who has chosen, and may be meant otherwise.
func told(field string, o registry.Object) []string {
	return config.Told(field, o, "who has chosen", "game", "event", "give", "take", "stats", "xp")
}

// maxEvent is how long the name of an event may be.
const maxEvent = 128

// member reads a member of an object, nil if it is not there.
func member[T any](field string, o registry.Object, name string) (*T, error) {
	v := new(T)
	if there, err := config.Read(field, o, name, v); !there || err != nil {
		return nil, err
	}
	return v, nil
}

// checkEffects reports what is wrong with effects that somebody writes: later they are done with his rights.
func checkEffects(p *profiles.Principal, field string, o registry.Object) error {
	e, err := readEffects(field, o)
	if err != nil {
		return err
	}
	if e.game != nil {
		if err := e.game.Check(p.Grants, field+".game"); err != nil {
			return err
		}
	}
	if e.event != "" {
		if !p.Grants.Has("event.write") {
			return registry.Errorf(registry.CodeForbidden, "%s.event: missing permission: event.write, which it needs", field)
		}
		if err := action.CheckName(field+".event", e.event); err != nil {
			return err
		}
	}
	if e.xp > 0 && !p.Grants.Has("progression.write") {
		return registry.Errorf(registry.CodeForbidden, "%s.xp: missing permission: progression.write, which it needs", field)
	}
	if len(e.stats) > 0 {
		if !p.Grants.Has("stats.write") {
			return registry.Errorf(registry.CodeForbidden, "%s.stats: missing permission: stats.write, which it needs", field)
		}
		if err := stats.CheckChanges(field+".stats", e.stats); err != nil {
			return err
		}
	}
	if (e.give != nil || e.take != nil) && !p.Grants.Has("inventory.write") {
		return registry.Errorf(registry.CodeForbidden, "%s: missing permission: inventory.write, which give and take need", field)
	}
	if e.give != nil {
		return registry.Under(field+".give", inventory.MayMake(p.Grants))
	}
	return nil
}

// bring brings effects about, in the conversation that a listener is in. why says why it cannot be, such as that there is too little to take: then
// nothing of what was done before may stay.
func (t *Talks) bring(tx *world.Tx, tr *tree, listener world.ID, o registry.Object) (why string, err error) {
	e, err := readEffects("effects", o)
	if err != nil {
		return "", err
	}
	if barred := t.Does.Barred(&tx.View, tr.By); barred != nil && len(o) > len("{}") { // what is brought about is the author's doing
		return registry.Said(barred), nil
	}
	if e.take != nil {
		if !t.Owned.Keeps(&tx.View, listener) {
			return fmt.Sprintf("%s has no inventory, and so no %q", listener, e.take.ItemID), nil
		}
		if why, err := t.Owned.Take(tx, listener, e.take.ItemID, e.take.Quantity, nil); why != "" || err != nil {
			return why, err
		}
	}
	if e.give != nil {
		if !t.Owned.Keeps(&tx.View, listener) {
			if err := t.Owned.Open(tx, listener, inventory.Capacity, nil); err != nil {
				return "", err
			}
		}
		if _, why, err := t.Owned.Add(tx, listener, e.give.ItemID, e.give.Quantity, nil); why != "" || err != nil {
			return why, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.stats)) {
		if by := e.stats[name]; by < 0 {
			if why, err := t.Stats.Spare(&tx.View, listener, name, -by); why != "" || err != nil {
				return why, err
			}
		}
		if err := t.Stats.Earn(tx, listener, name, e.stats[name]); err != nil {
			return "", err
		}
	}
	if e.xp > 0 {
		if err := t.Gain(tx, listener, e.xp, tr.By); err != nil {
			return "", err
		}
	}
	if e.game != nil {
		if err := t.Does.Play(tx, tr.By, e.game); err != nil {
			return "", err
		}
	}
	if e.event == "" {
		return "", nil
	}
	// That there is no room for its author's event is nothing to whoever talks: it is told, as of an action, and no more.
	return "", t.Does.Try(tx, "dialogue", tr.By, map[string]string{"event": e.event}, func() error {
		return t.Does.Announce(tx, action.Event{Name: e.event, Entity: listener, By: tr.By})
	})
}
