package behavior

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Feeling is what an entity feels toward another, as viewers get it.
type Feeling struct {
	Toward   world.ID `json:"toward"`
	Attitude string   `json:"attitude"` // friendly, hostile
}

// SetAttitudeIn is the input of npc.setAttitude.
type SetAttitudeIn struct {
	Entity       world.ID        `json:"entity" jsonschema_description:"Who feels so, such as ent_7: what is nobody else's, or yourself."`
	TowardEntity world.ID        `json:"towardEntity" jsonschema_description:"Toward whom, such as ent_3."`
	Attitude     string          `json:"attitude" validate:"oneof=friendly neutral hostile" jsonschema_description:"hostile: guards go after it, and who flees flees from it. friendly: shown to viewers. neutral: neither, as at first."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// SetAttitude is npc.setAttitude.
func SetAttitude(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[SetAttitudeIn, OKOut]{
		Name:  "npc.setAttitude",
		Title: "Set what a character feels toward another",
		Description: "Say what an entity feels toward another: friendly, neutral or hostile. Goals of behavior.setGoal go by it: guard and flee. To have it change when something happens use behavior.onEvent with an action of type attitude. " +
			`Example: {"entity":"ent_7","towardEntity":"ent_3","attitude":"hostile"}`,
		Keywords:    "hostile friendly enemy ally relation faction aggro npc hate like",
		Permissions: []profiles.Permission{"behavior.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetAttitudeIn) (OKOut, error) {
			return world.Do(m.World, c, func(tx *world.Tx) (OKOut, error) {
				if err := m.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return OKOut{}, err
				}
				return OKOut{OK: true}, registry.Under("towardEntity", m.feel(tx, in.Entity, in.TowardEntity, in.Attitude))
			})
		},
	})
}

// feel has an entity feel something toward another.
func (m *Minds) feel(tx *world.Tx, id, toward world.ID, attitude string) error {
	switch {
	case !tx.Exists(toward):
		return tx.Unknown(toward)
	case id == toward:
		return registry.Invalidf("%s is the entity itself", id)
	}
	list, _ := m.feelings.Get(&tx.View, id)
	i, there := slices.BinarySearchFunc(list, toward, func(f Feeling, id world.ID) int { return cmp.Compare(f.Toward, id) })
	switch {
	case there && list[i].Attitude == attitude, !there && attitude == "neutral":
		return nil
	case there && attitude == "neutral":
		list = slices.Delete(slices.Clone(list), i, i+1)
	case there:
		list = slices.Clone(list)
		list[i].Attitude = attitude
	default:
		list = slices.Insert(slices.Clone(list), i, Feeling{toward, attitude})
	}
	if len(list) > MaxAttitudes {
		list = slices.DeleteFunc(list, func(f Feeling) bool { return !tx.Exists(f.Toward) })
	}
	if len(list) > MaxAttitudes {
		return registry.Errorf(registry.CodeCapacityExceeded, "%s feels something toward %d others, which is the most: make it neutral toward one", id, MaxAttitudes)
	}
	if len(list) == 0 {
		m.feelings.Remove(tx, id)
		return nil
	}
	return m.feelings.Set(tx, id, list)
}
