package inventory

import (
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// Kind is a kind of items. Values are not to be changed.
type Kind struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Icon        string          `json:"icon,omitempty"`
	Stack       int             `json:"stack"` // how many are in a slot at most
	Weight      float64         `json:"weight"`
	Category    string          `json:"category"`
	Usage       string          `json:"usage,omitempty"`
	Config      registry.Object `json:"config,omitempty"`
}

// Keep is what the usage of a kind is that is not used up.
const Keep = "keep"

// Event is the name of the event that is emitted when one is used, "" for none.
func (k *Kind) Event() string {
	if k.Usage == Keep || k.Usage == "consume" {
		return ""
	}
	return k.Usage
}

// Look is what an item looks like that lies about: what the drop of its config says, or a small box.
func (k *Kind) Look() (scene.CreateEntityIn, error) {
	var look scene.CreateEntityIn
	there, err := config.Read("config", k.Config, "drop", &look)
	if err != nil {
		return look, err
	}
	if !there {
		look = registry.Default[scene.CreateEntityIn]()
		look.Size = dropSize
		return look, nil
	}
	return look, nil
}

// dropField is where the look of an item stands in what item.define is given.
const dropField = "config.drop"

// dropSize is the edge of the box that an item is that lies about, in metres.
const dropSize = 0.3

// known reports whether there is a kind of items.
func (s *Store) known(v *world.View, id string) bool {
	_, ok := s.kinds.Get(v, id)
	return ok
}

// Kind returns a kind of items. The error names the nearest.
func (s *Store) Kind(v *world.View, id string) (Kind, error) {
	k, ok := s.kinds.Get(v, id)
	if ok {
		return k, nil
	}
	const most = 5
	var all []string
	for name := range s.kinds.All(v) {
		all = append(all, name)
	}
	if len(all) == 0 {
		return k, registry.Failf("unknown item %q; there is none: item.define makes one", quote.Clip(id))
	}
	words := "the nearest are"
	near := wire.Near(id, all, most)
	if len(near) == 0 {
		words, near = "there are", all[:min(len(all), most)]
	}
	if len(near) == 1 {
		words = strings.Replace(words, " are", " is", 1)
	}
	return k, registry.Failf("unknown item %q; %s %s; item.define makes a new one", quote.Clip(id), words, strings.Join(near, ", "))
}

// DefineIn is the input of item.define.
type DefineIn struct {
	ID            string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What inventory.add and the others call it, such as gold_coin."`
	Name          string          `json:"name" validate:"min=1,max=64" jsonschema_description:"What people call it: Gold coin."`
	Description   string          `json:"description,omitempty" validate:"omitempty,max=500" jsonschema_description:"What it is, for players."`
	Icon          string          `json:"icon,omitempty" validate:"omitempty,max=256" jsonschema_description:"A picture for clients that show one: whatever you agreed on."`
	Stackable     bool            `json:"stackable" jsonschema:"default=true" jsonschema_description:"Whether several are in one slot."`
	MaxStack      int             `json:"maxStack" validate:"gte=1,lte=1000000" jsonschema:"default=99" jsonschema_description:"How many are in one slot at most, if it stacks."`
	Weight        float64         `json:"weight" validate:"gte=0" jsonschema:"default=1" jsonschema_description:"Of one, in kg. inventory.list adds it up; nothing is limited by it."`
	Category      string          `json:"category" validate:"min=1,max=64" jsonschema:"default=general" jsonschema_description:"What inventories can be limited to by their typeRestrictions: weapon, food."`
	UsageBehavior string          `json:"usageBehavior,omitempty" validate:"omitempty,max=64" jsonschema_description:"What interaction.use does with it: keep, for a key or a tool, uses none up; consume, or nothing, does. Another word is the name of an event, such as heal, that is emitted each time for those who listen; needs the permission event.write."`
	Config        registry.Object `json:"config,omitempty" jsonschema_description:"Whatever belongs to it. drop: the input of scene.createEntity for what lies about when it is dropped, such as {\"shape\":\"sphere\",\"size\":0.2,\"color\":16766720}; a small box if left out."`
	Meta          registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event item.defined."`
}

// DefineOut is the output of item.define.
type DefineOut struct {
	OK       bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Replaced bool `json:"replaced,omitempty" jsonschema_description:"Whether there was an item of this id, whose items are of the new kind now."`
}

// Define is item.define.
func Define(s *Store) registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "item.define",
		Title: "Define a kind of item",
		Description: "Say what a kind of item is: coins, keys, swords, potions. It makes none: inventory.add gives somebody some, and interaction.register has one lie about to be picked up. Defined again under the same id, it is changed; stacks that are larger than allowed then stay. " +
			`Example: {"id":"gold_coin","name":"Gold coin","maxStack":100,"category":"money","config":{"drop":{"shape":"sphere","size":0.2,"color":16766720}}}`,
		Keywords:    "item type loot coin key weapon sword potion food currency collectible resource catalogue",
		Permissions: []profiles.Permission{"item.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			k, err := in.kind(s.w, c)
			if err != nil {
				return DefineOut{}, err
			}
			if event := k.Event(); event != "" && !c.Principal().Grants.Has("event.write") {
				return DefineOut{}, registry.Errorf(registry.CodeForbidden, "missing permission: event.write, which the usageBehavior %q needs, an event; without it there are keep and consume", quote.Clip(event))
			}
			return world.Do(s.w, c, func(tx *world.Tx) (DefineOut, error) {
				_, there := s.kinds.Get(&tx.View, in.ID)
				if !there {
					if err := s.by.Take(tx, in.ID, c.Principal().Owner(), s.kinds.Len(&tx.View)); err != nil {
						return DefineOut{}, err
					}
				}
				if err := s.kinds.Set(tx, in.ID, k); err != nil {
					return DefineOut{}, err
				}
				return DefineOut{OK: true, Replaced: there}, c.Emit("item.defined", event{Item: in.ID, Meta: in.Meta})
			})
		},
	})
}

func (in *DefineIn) kind(w *world.World, c *registry.Call) (Kind, error) {
	if err := config.Fits("config", len(in.Config), MaxConfig); err != nil {
		return Kind{}, err
	}
	k := Kind{
		Name: in.Name, Description: in.Description, Icon: in.Icon, Stack: 1, Weight: in.Weight,
		Category: in.Category, Usage: in.UsageBehavior, Config: in.Config,
	}
	if in.Stackable {
		k.Stack = in.MaxStack
	}
	if err := action.CheckName("usageBehavior", k.Event()); err != nil {
		return k, err
	}
	look, err := k.Look()
	if err != nil {
		return k, err
	}
	return k, registry.Under(dropField, look.Feasible(w, c))
}

// event is the payload of the events of this package.
type event struct {
	Entity   world.ID        `json:"entity,omitempty"`
	To       world.ID        `json:"toEntity,omitempty"`
	Item     string          `json:"itemId,omitempty"`
	Quantity int             `json:"quantity,omitempty"`
	Place    string          `json:"equipmentSlot,omitempty"`
	Meta     registry.Object `json:"meta,omitempty"`
}
