package quest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

// The types of objectives.
const (
	kill    = "kill"
	collect = "collect"
	reach   = "reach"
	talk    = "talk"
	custom  = "custom"
)

// ObjectiveIn is an objective of a quest.
type ObjectiveIn struct {
	ID          string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What quest.update calls it: slay."`
	Type        string          `json:"type" validate:"oneof=kill collect reach talk custom" jsonschema_description:"What the server counts. kill: what dies by a blow of who has the quest. collect: the most items that are in its inventory at a time. reach: it comes to a place, to an entity or into a zone. talk: dialogues with the target that begin. custom: events. quest.update sets any of them too."`
	Description string          `json:"description" validate:"max=200" jsonschema_description:"What is to be done, for players: Slay three goblins."`
	Target      string          `json:"target,omitempty" validate:"omitempty,max=128" jsonschema_description:"kill, talk: the id of an entity, or a name or tag, \"goblin\"; left out, anybody. collect: the kind of item.define, \"gold_coin\". reach: the id of an entity or of a zone of trigger.create, trg_0. custom: the id, name or tag of whom the event has to be about; left out, it is about who has the quest, or about nobody."`
	Required    int64           `json:"required" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many times, or how many items."`
	Config      registry.Object `json:"config,omitempty" jsonschema_description:"reach: position [x,y,z] instead of a target, and how near, radius in metres, default 2. talk: {\"on\":\"ended\"} counts dialogues when they are over. custom: event, the name of the event that counts: {\"event\":\"leverPulled\"}. The rest is kept with it."`
}

// objective is what is kept of one.
type objective struct {
	ID          string          `json:"id"`
	Type        string          `json:"type"`
	Description string          `json:"description,omitempty"`
	Target      string          `json:"target,omitempty"`
	Required    int64           `json:"required"`
	Config      registry.Object `json:"config,omitempty"`

	// What advances it, as target and config say.
	Event  string          `json:"event,omitempty"`  // of talk and custom
	Entity world.ID        `json:"entity,omitempty"` // of reach
	Zone   *trigger.Handle `json:"zone,omitempty"`
	Place  *world.Vec3     `json:"place,omitempty"`
	Radius float64         `json:"radius,omitempty"`
}

// objective returns what is kept of the input, which is at where.
func (in *ObjectiveIn) objective(where string) (o objective, err error) {
	o = objective{ID: in.ID, Type: in.Type, Description: in.Description, Target: in.Target, Required: in.Required, Config: in.Config}
	where += ".config"
	switch in.Type {
	case talk:
		on := "started"
		if _, err = config.Read(where, in.Config, "on", &on); err == nil && on != "started" && on != "ended" {
			err = registry.Invalidf(`%s.on: must be "started" or "ended", got %q`, where, quote.Clip(on))
		}
		o.Event = "dialogue." + on
	case custom:
		if _, err = config.Read(where, in.Config, "event", &o.Event); err == nil && len(o.Event) > 128 {
			err = registry.Invalidf("%s.event: must have at most 128 characters", where)
		}
	case reach:
		err = o.locate(where)
	}
	return o, err
}

// locate reads where an objective of the type reach is reached.
func (o *objective) locate(where string) error {
	o.Radius = 2
	if _, err := config.Read(where, o.Config, "radius", &o.Radius); err != nil {
		return err
	}
	if !(o.Radius > 0) {
		return registry.Invalidf("%s.radius: must be above 0, got %v", where, o.Radius)
	}
	var place world.Vec3
	there, err := config.Read(where, o.Config, "position", &place)
	if err != nil {
		return err
	}
	if there && o.Target != "" {
		return registry.Invalidf("%s.position: there is a target too; give one of them", where)
	}
	if there {
		o.Place = &place
	}
	if id, err := world.ParseID(o.Target); err == nil {
		o.Entity = id
	}
	var zone trigger.Handle
	if zone.UnmarshalText([]byte(o.Target)) == nil {
		o.Zone = &zone
	}
	return nil
}

// doubt says what of an objective that is good may be a mistake, behind its place: "" if nothing. It fails for ids of entities and zones that are not there.
func (q *Quests) doubt(v *world.View, o *objective, where string) (note string, err error) {
	const alone = "nothing but quest.update advances it"
	if strings.HasPrefix(o.Target, "ent_") {
		id, err := world.ParseID(o.Target)
		if err != nil {
			return "", registry.Invalidf("%s.target: %v", where, err)
		}
		if !v.Exists(id) {
			return "", registry.Under(where+".target", v.Unknown(id))
		}
	}
	switch {
	case o.Type == reach && strings.HasPrefix(o.Target, "trg_"):
		return "", registry.Under(where+".target", q.deps.Zones.Check(v, o.Target))
	case o.Type == reach && o.Entity == 0 && o.Place == nil:
		return fmt.Sprintf(".target: %s: name an entity or a zone, trg_0, or give a config.position", alone), nil
	case o.Type == custom && o.Event == "":
		return fmt.Sprintf(`.config.event: %s: name an event, {"event":"leverPulled"}`, alone), nil
	case o.Type == custom:
		if note := q.deps.Does.Unheard(v, o.Event); note != "" {
			return ".config.event: " + note, nil
		}
	case o.Type == collect:
		if _, err := q.deps.Owned.Kind(v, o.Target); err != nil {
			return fmt.Sprintf(".target: %s for now: %s", alone, err), nil
		}
	}
	return "", nil
}

// party is somebody whom something that has happened is about, as he was then.
type party struct {
	ID world.ID `json:"id"`
	Is []string `json:"is,omitempty"` // his name and his tags
}

// party returns how somebody is called now.
func (q *Quests) party(v *world.View, id world.ID) party {
	p := party{ID: id}
	if name := v.Name(id); name != "" {
		p.Is = append(p.Is, name)
	}
	p.Is = append(p.Is, v.Tags(id)...)
	return p
}

// means reports whether an objective is about somebody: any, if it has no target.
func (o *objective) means(p *party) bool {
	return o.Target == "" || o.Target == p.ID.String() || slices.Contains(p.Is, o.Target)
}
