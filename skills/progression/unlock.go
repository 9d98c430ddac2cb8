package progression

import (
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// UnlockIn is the input of progression.unlock and isUnlocked.
type UnlockIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	ID     string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What is unlocked, by a name of yours: double_jump."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// UnlockOut is the output of progression.unlock.
type UnlockOut struct {
	OK            bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	NewlyUnlocked bool `json:"newlyUnlocked" jsonschema_description:"Whether it was not before."`
}

// Unlock is progression.unlock.
func Unlock(b *Book) registry.Skill {
	return registry.Define(registry.Spec[UnlockIn, UnlockOut]{
		Name:  "progression.unlock",
		Title: "Unlock something for an entity",
		Description: "Note that something is unlocked for an entity: an ability, a region, a recipe. It stays so. What comes of it is up to you: ask progression.isUnlocked, or listen to the event \"progression.unlocked:double_jump\". What is so for the whole game is a game.flag. " +
			`Example: {"entity":"ent_3","id":"double_jump"}`,
		Keywords:    "achievement ability recipe earn badge",
		Permissions: []profiles.Permission{"progression.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in UnlockIn) (UnlockOut, error) {
			return world.Do(b.w, c, func(tx *world.Tx) (UnlockOut, error) {
				newly, err := b.unlock(tx, in.Entity, in.ID, c.Principal().ID)
				if err != nil || !newly {
					return UnlockOut{OK: true}, err
				}
				return UnlockOut{true, true}, c.Emit("progression.unlocked", unlocked(in))
			})
		},
	})
}

type unlocked struct {
	Entity world.ID        `json:"entity"`
	ID     string          `json:"id"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// opened is what those are told who hear of it.
type opened struct {
	ID string `json:"id"`
}

// unlock unlocks something, and reports whether it was not.
func (b *Book) unlock(tx *world.Tx, id world.ID, what, by string) (newly bool, err error) {
	s, err := b.state(&tx.View, id)
	if err != nil || s.has(what) {
		return false, err
	}
	if len(s.Unlocked) == MaxUnlocked {
		return false, registry.Errorf(registry.CodeCapacityExceeded, "%s has %d things unlocked, which is the most", id, MaxUnlocked)
	}
	i, _ := slices.BinarySearch(s.Unlocked, what)
	s.Unlocked = slices.Insert(slices.Clone(s.Unlocked), i, what)
	if err := b.keep(tx, id, s); err != nil {
		return false, err
	}
	return true, b.deps.Does.Tell(tx, "progression", "unlocked", what, id, by, &opened{what})
}

// IsUnlockedOut is the output of progression.isUnlocked.
type IsUnlockedOut struct {
	Unlocked bool   `json:"unlocked" jsonschema_description:"Whether it is."`
	Note     string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// IsUnlocked is progression.isUnlocked.
func IsUnlocked(b *Book) registry.Skill {
	return registry.Define(registry.Spec[UnlockIn, IsUnlockedOut]{
		Name:        "progression.isUnlocked",
		Title:       "Is something unlocked",
		Description: `Say whether progression.unlock has unlocked something for an entity; progression.level lists all that is. Example: {"entity":"ent_3","id":"double_jump"}`,
		Keywords:    "check achievement ability has may can",
		Permissions: []profiles.Permission{"progression.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in UnlockIn) (IsUnlockedOut, error) {
			return world.Read(b.w, c, func(v *world.View) (IsUnlockedOut, error) {
				s, err := b.state(v, in.Entity)
				if err != nil {
					return IsUnlockedOut{}, err
				}
				return IsUnlockedOut{s.has(in.ID), s.meant(in.ID)}, nil
			})
		},
	})
}

// meant says what may be meant by something that is not unlocked, "" if nothing.
func (s *state) meant(id string) string {
	near := wire.Nearest(id, s.Unlocked)
	if near == "" || s.has(id) {
		return ""
	}
	return "did you mean \"" + quote.Clip(near) + "\", which is?"
}
