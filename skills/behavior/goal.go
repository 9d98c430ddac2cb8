package behavior

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Aim is what a goal is about, in the inputs of behavior.define and behavior.setGoal.
type Aim struct {
	Type     string          `json:"type" validate:"oneof=patrol wander follow flee guard turret interact goTo custom" jsonschema_description:"patrol: go from one of config.waypoints to the next, again and again, or between where it is and position; of whom config.players, config.tag or target say, it is the guide, and waits for them. wander: go here and there, around position or where it is, and rest in between. follow: stay near target. flee: get away from target, or from its foes. guard: stay at position, or where it is, and go after its foes. turret: stay where it is, and shoot target, or the nearest of its foes in config.radius. interact: go to the thing target and do what it is there for (interaction.register). goTo: go to position or to target, once. custom: tell viewers, and who listens to config.event, once. Foes are those whom it is hostile to (npc.setAttitude), and those of config.tag and config.players, unless it is friendly to them."`
	Target   string          `json:"target,omitempty" validate:"omitempty,max=128" jsonschema_description:"follow, flee, guard, turret, interact, goTo: the id of an entity. guard: whom it guards, instead of a place. patrol: whom it guides. custom: whatever you agreed on."`
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"patrol, wander, guard, goTo: a place in metres."`
	Priority int64           `json:"priority" jsonschema:"default=0" jsonschema_description:"Of several goals that have something to do the one of the highest is pursued; routines have 0."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"speed, metres a second. guard, turret, flee: tag, foes are those with this tag; players, true: foes are those who play; if, only those of whom this is so, such as item(\"badge\") < 1; sight, to how many degrees before it it sees, and not through walls; left out it knows of all in radius. patrol: waypoints, [[0,0,0],[5,0,0]]; wait, seconds at each; once, true: not again, and behavior.arrived is emitted at the last; a guide has players, tag or if, too, and goes on only while such a one is within radius, 8. wander: radius around its place, 8, and wait, seconds at each stop, 2. follow: distance, metres, 2. flee: radius, from which distance on, 8. guard: radius around its place, with sight around itself, 8; distance from which it strikes, 2. turret: radius, 8; turns, true: turns to whom it shoots; speed is that of its shots. guard, turret: damage, else it only tells (behavior.attacked); cooldown between strikes, seconds, 1. interact: every, seconds, to do it again and again. custom: event; all else is handed on."`
}

// GoalIn is a goal of a profile that is to be.
type GoalIn struct {
	ID string `json:"id" validate:"min=1,max=128" jsonschema_description:"What viewers are told that it pursues."`
	Aim
}

// goal is what somebody is after. It is immutable.
type goal struct {
	ID       string          `json:"id,omitempty"`
	Type     string          `json:"type"` // as Aim has it
	Target   world.ID        `json:"target,omitempty"`
	Position *world.Vec3     `json:"position,omitempty"`
	Priority int64           `json:"priority,omitempty"`
	Points   []world.Vec3    `json:"points,omitempty"`
	Speed    float64         `json:"speed,omitempty"`    // metres a second; 0: as the profile has it
	Distance float64         `json:"distance,omitempty"` // metres
	Radius   float64         `json:"radius,omitempty"`
	Damage   float64         `json:"damage,omitempty"`
	Every    uint64          `json:"every,omitempty"` // steps
	Event    string          `json:"event,omitempty"`
	Aim      string          `json:"aim,omitempty"`     // of custom: the target
	Tag      string          `json:"tag,omitempty"`     // foes, or who is guided
	Players  bool            `json:"players,omitempty"` // … are those who play
	If       string          `json:"if,omitempty"`      // … of whom this is so
	Sight    float64         `json:"sight,omitempty"`   // degrees; 0: it knows of all that are near
	Once     bool            `json:"once,omitempty"`    // of patrol
	Turns    bool            `json:"turns,omitempty"`   // of turret
	Config   registry.Object `json:"config,omitempty"`
	By       string          `json:"by"`
}

// size is how many bytes a goal has.
func (g *goal) size() int {
	const point = 24
	return len(g.ID) + point*len(g.Points) + len(g.Event) + len(g.Aim) + len(g.Tag) + len(g.If) + len(g.Config)
}

// goal returns what is kept of a goal of a profile. What is wrong is named from field on.
func (m *Minds) goal(by *profiles.Principal, field string, in *GoalIn) (goal, error) {
	g, err := m.aim(by, field, &in.Aim)
	g.ID = in.ID
	return g, err
}

// aim returns what is kept of a goal.
func (m *Minds) aim(by *profiles.Principal, field string, in *Aim) (goal, error) {
	g := goal{Type: in.Type, Position: in.Position, Priority: in.Priority, By: by.ID}
	if err := g.about(field, in.Target); err != nil {
		return g, err
	}
	if err := m.tune(&g, field+"config", in.Config); err != nil {
		return g, err
	}
	switch {
	case g.Type == "patrol" && len(g.Points) == 0 && g.Position == nil:
		return g, registry.Invalidf(`%sconfig.waypoints: patrol needs them, or position: {"waypoints":[[0,0,0],[5,0,0]]}`, field)
	case g.Type == "goTo" && g.Position == nil && g.Target == 0:
		return g, registry.Invalidf("%sposition: goTo needs it, or target, the id of an entity", field)
	case g.Position != nil && g.Type != "patrol" && g.Type != "wander" && g.Type != "guard" && g.Type != "goTo":
		return g, registry.Invalidf("%sposition: is for patrol, wander, guard and goTo", field)
	case g.Position != nil && g.Target != 0 && g.Type != "patrol":
		return g, registry.Invalidf("%sposition: %s has a place or a target, not both", field, g.Type)
	case g.Type == "interact":
		return g, needs(by, "interaction.write", field+"type", "interact")
	case g.Damage > 0:
		return g, needs(by, "combat.write", field+"config.damage", "damage")
	case g.Event != "":
		if err := needs(by, "event.write", field+"config.event", "an event"); err != nil {
			return g, err
		}
		return g, action.CheckName(field+"config.event", g.Event)
	}
	return g, nil
}

// about reads the target of a goal.
func (g *goal) about(field, target string) (err error) {
	switch {
	case g.Type == "custom":
		g.Aim = target
		return nil
	case target == "":
		if g.Type == "follow" || g.Type == "interact" {
			return registry.Invalidf("%starget: %s needs the id of an entity", field, g.Type)
		}
		return nil
	case g.Type == "wander":
		return registry.Invalidf("%starget: wander goes from place to place, and takes none: follow stays near somebody", field)
	}
	if g.Target, err = world.ParseID(target); err != nil {
		return registry.Invalidf("%starget: %v", field, err)
	}
	return nil
}

// tune reads the config of a goal.
func (m *Minds) tune(g *goal, field string, o registry.Object) error {
	if err := config.Fits(field, len(o), action.MaxData); err != nil {
		return err
	}
	wait, cooldown, every := 0.0, 1.0, 0.0
	g.Distance, g.Radius = 2, 8
	if g.Type == "wander" {
		wait = 2
	}
	for _, n := range [...]struct {
		of, name string
		to       *float64
		lo, hi   float64
	}{
		{"", "speed", &g.Speed, 0.01, 1000},
		{"patrol", "wait", &wait, 0, 86_400},
		{"wander", "wait", &wait, 0, 86_400},
		{"wander", "radius", &g.Radius, 0.1, 1000},
		{"follow", "distance", &g.Distance, 0.1, 1000},
		{"guard", "distance", &g.Distance, 0.1, 1000},
		{"flee", "radius", &g.Radius, 0.1, 1000},
		{"guard", "radius", &g.Radius, 0.1, 1000},
		{"guard", "damage", &g.Damage, 0, 1e6},
		{"guard", "cooldown", &cooldown, 0, 86_400},
		{"turret", "radius", &g.Radius, 0.1, 1000},
		{"turret", "damage", &g.Damage, 0, 1e6},
		{"turret", "cooldown", &cooldown, 0, 86_400},
		{"patrol", "radius", &g.Radius, 0.1, 1000},
		{"interact", "every", &every, 0, 86_400},
	} {
		if n.of != "" && n.of != g.Type {
			continue
		}
		if err := number(field, o, n.name, n.to, n.lo, n.hi); err != nil {
			return err
		}
	}
	switch g.Type {
	case "patrol", "guard", "turret", "flee":
		if err := g.whom(field, o); err != nil {
			return err
		}
	}
	switch g.Type {
	case "patrol":
		g.Every = m.World.StepsIn(wait)
		if _, err := config.Read(field, o, "once", &g.Once); err != nil {
			return err
		}
		return g.route(field, o)
	case "wander":
		g.Every = m.World.StepsIn(wait)
	case "guard":
		g.Every = max(1, m.World.StepsIn(cooldown))
	case "turret":
		g.Every = max(1, m.World.StepsIn(cooldown))
		_, err := config.Read(field, o, "turns", &g.Turns)
		return err
	case "interact":
		g.Every = m.World.StepsIn(every)
	case "custom":
		if string(o) != "{}" {
			g.Config = o
		}
		_, err := config.Read(field, o, "event", &g.Event)
		return err
	}
	return nil
}

// knows are the members of the config of a goal that count, beside speed, by its type. Those of custom are handed on.
var knows = map[string][]string{
	"patrol":   {"waypoints", "wait", "once", "radius", "players", "tag", "if"},
	"wander":   {"radius", "wait"},
	"follow":   {"distance"},
	"flee":     {"radius", "players", "tag", "if", "sight"},
	"guard":    {"radius", "distance", "damage", "cooldown", "players", "tag", "if", "sight"},
	"turret":   {"radius", "damage", "cooldown", "players", "tag", "if", "sight", "turns"},
	"interact": {"every"},
	"goTo":     {},
}

// doubt says what of a goal that is good may be a mistake, "" for nothing.
func (in *Aim) doubt(field string) string {
	known, is := knows[in.Type]
	var given map[string]json.RawMessage
	if !is || len(in.Config) > 0 && json.Unmarshal(in.Config, &given) != nil {
		return ""
	}
	known = append([]string{"speed"}, known...)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(known, name) {
			continue
		}
		if meant := wire.Nearest(name, known); meant != "" {
			return fmt.Sprintf("%sconfig.%s changes nothing: did you mean %q?", field, quote.Clip(name), meant)
		}
		return fmt.Sprintf("%sconfig.%s changes nothing: of the config of %s count %s", field, quote.Clip(name), in.Type, strings.Join(known, ", "))
	}
	if in.Type == "turret" && in.Target == "" && given["tag"] == nil && given["players"] == nil {
		return field + `config: without target, tag or players it shoots only whom it is made hostile to, by npc.setAttitude`
	}
	return ""
}

// whom reads from a config who the foes of somebody are, or whom he guides.
func (g *goal) whom(field string, o registry.Object) error {
	there, err := config.Read(field, o, "tag", &g.Tag)
	if err != nil {
		return err
	}
	if there && (g.Tag == "" || len(g.Tag) > world.MaxTag) {
		return registry.Invalidf("%s.tag: must have 1 to %d bytes, got %d", field, world.MaxTag, len(g.Tag))
	}
	if _, err := config.Read(field, o, "players", &g.Players); err != nil {
		return err
	}
	if _, err := config.Read(field, o, "if", &g.If); err != nil {
		return err
	}
	if g.If != "" {
		if _, err := expression.Parse(g.If, true); err != nil {
			return registry.Under(field+".if", err)
		}
	}
	if g.Type == "patrol" {
		return nil
	}
	return number(field, o, "sight", &g.Sight, 1, 360)
}

// route reads the waypoints of a patrol.
func (g *goal) route(field string, o registry.Object) error {
	const most = 64
	there, err := config.Read(field, o, "waypoints", &g.Points)
	if n := len(g.Points); err == nil && there && (n == 0 || n > most) {
		return registry.Invalidf("%s.waypoints: must have from 1 to %d items, got %d", field, most, n)
	}
	return err
}

// number reads a number of a config.
func number(field string, o registry.Object, name string, to *float64, lo, hi float64) error {
	raw := wire.Member(o, name)
	if raw == nil {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil || !(*to >= lo && *to <= hi) {
		return registry.Invalidf("%s.%s: must be a number from %v to %v, got %.40s", field, name, lo, hi, raw)
	}
	return nil
}
