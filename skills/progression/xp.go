package progression

import (
	"strconv"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// XPIn is the input of progression.xp.
type XPIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Who gains it, such as ent_3."`
	Amount int64           `json:"amount" validate:"gte=1" jsonschema_description:"How much experience."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event progression.gained."`
}

// XPOut is the output of progression.xp.
type XPOut struct {
	LeveledUp   bool      `json:"leveledUp" jsonschema_description:"Whether it has reached another level."`
	NewLevel    int       `json:"newLevel" jsonschema_description:"Its level now, from 1 to 75."`
	XP          int64     `json:"xp" jsonschema_description:"What it has of experience in this level."`
	XPToNext    int64     `json:"xpToNext" jsonschema_description:"What it still needs for the next one; 0 at the highest."`
	SkillPoints int       `json:"skillPoints" jsonschema_description:"What it can spend by progression.allocate."`
	LevelUps    []LevelUp `json:"levelUps" jsonschema_description:"The levels that it has reached, in order."`
}

// LevelUp is a level that was reached.
type LevelUp struct {
	Level   int             `json:"level" jsonschema_description:"Which."`
	Actions []action.Action `json:"actions" jsonschema_description:"What the next simulation step does about it, of progression.onLevelUp. What fails there is told as progression.failed."`
}

// XP is progression.xp.
func XP(b *Book) registry.Skill {
	return registry.Define(registry.Spec[XPIn, XPOut]{
		Name:  "progression.xp",
		Title: "Give experience",
		Description: "Give an entity experience: for a fight that is won, a place that is found. From level n to the next one lead 100 × 1.5^(n-1) of it, rounded down; each level brings a skill point, and the server does what progression.onLevelUp says. " +
			`A quest gives experience by itself, with "xp" in its rewards. Example: {"entity":"ent_3","amount":120}`,
		Keywords:    "experience points level up reward gain grow rpg",
		Permissions: []profiles.Permission{"progression.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in XPIn) (XPOut, error) {
			return world.Do(b.w, c, func(tx *world.Tx) (XPOut, error) {
				reached, err := b.Gain(tx, in.Entity, in.Amount, c.Principal().ID)
				if err != nil {
					return XPOut{}, err
				}
				s, _ := b.states.Get(&tx.View, in.Entity)
				out := XPOut{len(reached) > 0, s.Level, s.XP, s.ToNext, s.Points, b.levelUps(&tx.View, in.Entity, reached)}
				return out, c.Emit("progression.gained", gained{in.Entity, in.Amount, s.Level, in.Meta})
			})
		},
	})
}

type gained struct {
	Entity world.ID        `json:"entity"`
	Amount int64           `json:"amount"`
	Level  int             `json:"level"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// reaching is what those are told who hear of a level.
type reaching struct {
	Level  int `json:"level"`
	Points int `json:"skillPoints"`
}

// Gain gives an entity experience on somebody's behalf, and returns the levels that it has reached by that. What is to be done about them is done in
// the next step, or in the one that is being taken, if progression has its turn after who calls.
func (b *Book) Gain(tx *world.Tx, id world.ID, amount int64, by string) (reached []int, err error) {
	s, err := b.state(&tx.View, id)
	if err != nil {
		return nil, err
	}
	before := s.Points
	reached = s.gain(amount)
	if err := b.keep(tx, id, s); err != nil || len(reached) == 0 {
		return nil, err
	}
	for i, level := range reached {
		if err := b.deps.Does.Tell(tx, "progression", "levelUp", strconv.Itoa(level), id, by, &reaching{level, before + i + 1}); err != nil {
			return nil, err
		}
	}
	if !b.actions.Has(&tx.View, id) {
		return reached, nil
	}
	due, _ := b.due.Get(&tx.View, id)
	return reached, b.due.Set(tx, id, append(due[:len(due):len(due)], reached...))
}

// levelUps says what is done about levels that an entity has reached.
func (b *Book) levelUps(v *world.View, id world.ID, reached []int) []LevelUp {
	kept, _ := b.actions.Get(v, id)
	actions := make([]action.Action, len(kept))
	for i := range kept {
		actions[i] = kept[i].Action()
	}
	all := make([]LevelUp, len(reached))
	for i, level := range reached {
		all[i] = LevelUp{level, actions}
	}
	return all
}

// LevelIn is the input of progression.level.
type LevelIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the entity, such as ent_3; left out: your own body or character."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// LevelOut is the output of progression.level.
type LevelOut struct {
	Level       int      `json:"level" jsonschema_description:"Its level, from 1 to 75."`
	XP          int64    `json:"xp" jsonschema_description:"What it has of experience in this level."`
	XPToNext    int64    `json:"xpToNext" jsonschema_description:"What it still needs for the next one; 0 at the highest."`
	SkillPoints int      `json:"skillPoints" jsonschema_description:"What it can spend by progression.allocate."`
	Unlocked    []string `json:"unlocked" jsonschema_description:"What is unlocked, in order."`
	Skills      []Skill  `json:"skills" jsonschema_description:"The nodes of skill trees that it has."`
}

// Level is progression.level.
func Level(b *Book) registry.Skill {
	return registry.Define(registry.Spec[LevelIn, LevelOut]{
		Name:        "progression.level",
		Title:       "How far an entity has come",
		Description: `Say which level an entity has, its experience, its skill points, what is unlocked and which nodes of skill trees it has. Viewers get the same with the entity. Example: {"entity":"ent_3"}`,
		Keywords:    "experience xp level points skills progress",
		Permissions: []profiles.Permission{"progression.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in LevelIn) (LevelOut, error) {
			return world.Read(b.w, c, func(v *world.View) (LevelOut, error) {
				if err := b.deps.Stats.Self(v, c.Principal(), "entity", &in.Entity); err != nil {
					return LevelOut{}, err
				}
				s, err := b.state(v, in.Entity)
				if err != nil {
					return LevelOut{}, err
				}
				return LevelOut{s.Level, s.XP, s.ToNext, s.Points, append([]string{}, s.Unlocked...), append([]Skill{}, s.Skills...)}, nil
			})
		},
	})
}
