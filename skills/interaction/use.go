package interaction

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/world"
)

// UseIn is the input of interaction.use.
type UseIn struct {
	Actor    world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Who uses it: left out, your own body or character."`
	ItemID   string          `json:"itemId" validate:"max=64" jsonschema_description:"What, of its inventory: health_potion."`
	Target   world.ID        `json:"targetEntity,omitempty" jsonschema_description:"On what, which has to be near."`
	Quantity int             `json:"quantity" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many."`
	Data     registry.Object `json:"data,omitempty" jsonschema_description:"Anything that those who are told are to know."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event interaction.used."`
}

// UseOut is the output of interaction.use.
type UseOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether it was used; if not, nothing has changed."`
	Result *Used  `json:"result,omitempty" jsonschema_description:"What was done."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why it was not used, and what would help."`
}

// Used is what using an item has done.
type Used struct {
	Consumed int             `json:"consumed" jsonschema_description:"How many are used up."`
	Left     int             `json:"left" jsonschema_description:"How many are left, in slots and worn."`
	Usage    string          `json:"usageBehavior,omitempty" jsonschema_description:"What item.define says that using does. Unless it is keep or consume it is the event that was emitted; what comes of that is for those who listen."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"The config of item.define."`
}

// Use is interaction.use.
func Use(t *Things) registry.Skill {
	return registry.Define(registry.Spec[UseIn, UseOut]{
		Name:  "interaction.use",
		Title: "Use an item",
		Description: "Use an item of your inventory, by itself or on something near: it is used up, unless item.define says keep, and those who see it, and who listen to its usageBehavior or to the action of the target, are told. By itself it changes nothing else. To wear one use item.equip; what is locked opens by interaction.open while you have the key. " +
			`Example: {"itemId":"health_potion"}`,
		Keywords:    "consume eat drink apply activate potion food heal",
		Permissions: []profiles.Permission{"interaction.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UseIn) (UseOut, error) {
			if err := config.Fits("data", len(in.Data), MaxConfig); err != nil {
				return UseOut{}, err
			}
			return world.Do(t.w, c, func(tx *world.Tx) (UseOut, error) {
				used, why, err := t.use(c, tx, &in)
				if why != "" || err != nil {
					return UseOut{Reason: why}, err
				}
				return UseOut{OK: true, Result: used}, nil
			})
		},
	})
}

func (t *Things) use(c caller, tx *world.Tx, in *UseIn) (u *Used, why string, err error) {
	actor, err := t.actor(&tx.View, c.Principal(), in.Actor)
	if err != nil {
		return nil, "", err
	}
	k, err := t.owned.Kind(&tx.View, in.ItemID)
	if err != nil {
		return nil, "", err
	}
	about, act := actor, ""
	if in.Target != 0 {
		if !tx.Exists(in.Target) {
			return nil, "", tx.Unknown(in.Target)
		}
		most := float64(Range)
		if th, s, err := t.find(&tx.View, in.Target); err == nil {
			most, act = th.Range, s.Action
		}
		if why := t.far(&tx.View, c.Principal(), actor, t.goal(&tx.View, in.Target, most)); why != "" {
			return nil, why, nil
		}
		about = in.Target
	}
	u = &Used{Usage: k.Usage, Config: k.Config}
	if k.Usage == inventory.Keep {
		if has, _ := t.owned.Own(&tx.View, actor, in.ItemID); has < in.Quantity {
			return nil, fmt.Sprintf("%s has %d %q, not %d", actor, has, in.ItemID, in.Quantity), nil
		}
	} else {
		if why, err := t.owned.Take(tx, actor, in.ItemID, in.Quantity, nil); why != "" || err != nil {
			return nil, why, err
		}
		u.Consumed = in.Quantity
	}
	u.Left, _ = t.owned.Own(&tx.View, actor, in.ItemID)
	at, _ := tx.Position(about)
	h := &happening{Actor: actor, Item: in.ItemID, Quantity: in.Quantity, Usage: k.Usage, Target: in.Target, Action: act, Data: in.Data, Meta: in.Meta}
	return u, "", t.tell(c, tx, "interaction.used", at, about, h, act, k.Event())
}
