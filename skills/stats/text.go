package stats

import (
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/world"
)

// Value is what a stat of an entity is now, without buffs, as a float64, and false if there is none.
func (s *Stats) Value(v *world.View, of world.ID, name string) (any, bool) {
	block, i, err := s.find(v, of, name)
	if err != nil {
		return nil, false
	}
	return block[i].Value, true
}

// whose reports whether a word is meant for whoever looks at a panel.
func whose(word string) bool {
	switch strings.ToLower(strings.TrimPrefix(word, "$")) {
	case "me", "self", "player", "viewer", "you", "entity", "actor", "agent", "character", "body":
		return true
	}
	return false
}

// Text is what a stat is now, without buffs, and why it is "-" if there is none, for texts of panels. The name may go on with "@" and the entity whose
// stat it is; else that is of.
func (s *Stats) Text(v *world.View, of world.ID, name string) (text, missing string) {
	name, id, other := strings.Cut(name, "@")
	if other {
		var err error
		if of, err = world.ParseID(id); err != nil {
			if whose(id) {
				return "-", fmt.Sprintf(`there is no word for who looks: each has a panel of his own, "anchor":{"kind":"screen","entity":"ent_3"} with {stat:%s}, which event.listen to player.spawned makes for whoever comes, by an action of type call with "entity":"$entity"`, name)
			}
			return "-", err.Error()
		}
	}
	if of == 0 {
		return "-", fmt.Sprintf("the panel is at no entity: {stat:%s@ent_3} names one", name)
	}
	block, i, err := s.find(v, of, name)
	if err != nil {
		return "-", err.Error()
	}
	return number(block[i].Value), ""
}
