package interaction

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// handles says why a caller cannot take out of inventories, or put into them, from where he is: "" if he can. Somebody of his own has to be within
// reach of each, and what opens has to be open. It fails if he has nobody.
func (t *Things) handles(v *world.View, caller *profiles.Principal, ids ...world.ID) (why string, err error) {
	for _, id := range ids {
		if !v.Exists(id) {
			return "", v.Unknown(id)
		}
	}
	hands := t.hands(v, caller, ids)
	if len(hands) == 0 {
		return "", registry.Failf("you have nothing to act with: agent.embody or player.spawn makes it")
	}
	for i, actor := range hands {
		this := t.within(v, caller, actor, ids)
		if this == "" {
			return "", nil
		}
		if i == 0 {
			why = this
		}
	}
	return why, nil
}

// Touches says why a caller cannot touch an entity from where his body or a character of his is, "" if he can.
func (t *Things) Touches(v *world.View, caller *profiles.Principal, id world.ID) (why string, err error) {
	own := t.cast.Own(v, caller)
	if len(own) == 0 {
		return "", registry.Failf("you have nothing to act with: agent.embody or player.spawn makes it")
	}
	for i, actor := range own {
		if v.Within(id, actor) {
			return "", nil
		}
		this := t.far(v, caller, actor, t.goal(v, id, Range))
		if this == "" {
			return "", nil
		}
		if i == 0 {
			why = this
		}
	}
	return why, nil
}

// hands returns who may act for a caller between inventories: whoever of his has one of them, or else all that are his own.
func (t *Things) hands(v *world.View, caller *profiles.Principal, ids []world.ID) []world.ID {
	for _, id := range ids {
		if t.cast.Lives(v, id) && t.cast.Acts(v, caller, id) == nil {
			return []world.ID{id}
		}
	}
	return t.cast.Own(v, caller)
}

// within says which of several inventories somebody cannot reach, and why.
func (t *Things) within(v *world.View, caller *profiles.Principal, actor world.ID, ids []world.ID) string {
	for _, id := range ids {
		if id == actor {
			continue
		}
		most := float64(Range)
		if th, ok := t.things.Get(v, id); ok {
			most = th.Range
		}
		if why := t.far(v, caller, actor, t.goal(v, id, most)); why != "" {
			return why
		}
		if lid := t.lid(v, id); lid != 0 && !t.cast.Lives(v, id) {
			return fmt.Sprintf("%s is closed: interaction.open {\"entity\":%q} opens it", id, lid)
		}
	}
	return ""
}

// lid returns what has to be opened before something is open: itself, what it is in, or a part of it; 0 if nothing.
func (t *Things) lid(v *world.View, id world.ID) world.ID {
	if shut := t.shut(v, id); shut != 0 {
		return shut
	}
	n := 0
	for part := range v.Below(id) {
		if n++; n > parts {
			break
		}
		if t.closes(v, part) {
			return part
		}
	}
	return 0
}

// shut returns the closed thing that an entity is, or is a part of; 0 if there is none.
func (t *Things) shut(v *world.View, id world.ID) world.ID {
	for up := range v.Up(id) {
		if t.closes(v, up) {
			return up
		}
	}
	return 0
}

// closes reports whether an entity is something that opens, and is closed.
func (t *Things) closes(v *world.View, id world.ID) bool {
	th, _ := t.things.Get(v, id)
	s, _ := t.setups.Get(v, id)
	return s.opens(&th) && !th.Open
}
