package dialogue

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// entity returns the entity that a caller names, by its id or as the body of an agent.
func (t *Talks) entity(v *world.View, field, name string) (world.ID, error) {
	if body, ok := t.Agents.Body(v, name); ok {
		return body, nil
	}
	id, err := world.ParseID(name)
	if err != nil {
		return 0, registry.Invalidf("%s: %q is neither the id of an entity, such as ent_3, nor an agent with a body", field, quote.Clip(name))
	}
	if !v.Exists(id) {
		return 0, v.Unknown(id)
	}
	return id, nil
}

// own is entity for one that the caller has act.
func (t *Talks) own(v *world.View, caller *profiles.Principal, field, name string) (world.ID, error) {
	id, err := t.entity(v, field, name)
	if err != nil {
		return 0, err
	}
	return id, registry.Under(field, t.Acts(v, caller, id))
}

// two returns the entities that a caller names as those who talk. Where he names one of them, or none, they are those of the only conversation that he is in, or else that whom he
// may have act is in.
func (t *Talks) two(v *world.View, caller *profiles.Principal, speaker, listener string) (s, l world.ID, err error) {
	if speaker != "" {
		if s, err = t.entity(v, "speaker", speaker); err != nil {
			return 0, 0, err
		}
	}
	if listener == "" {
		return t.only(v, caller, s)
	}
	if l, err = t.entity(v, "listener", listener); err != nil || s != 0 {
		return s, l, err
	}
	k, ok := t.talks.Get(v, l)
	if !ok {
		return 0, 0, registry.Failf("%s is in no conversation: dialogue.start begins one", l)
	}
	return k.Speaker, l, nil
}

// only returns who talks in the only conversation of a caller, with a speaker if that is not 0.
func (t *Talks) only(v *world.View, caller *profiles.Principal, speaker world.ID) (s, l world.ID, err error) {
	var all, own []world.ID
	var mine []world.ID
	if t.Self != nil {
		mine = t.Self(v, caller)
	}
	for id, k := range t.talks.All(v) {
		if speaker != 0 && k.Speaker != speaker || t.Acts(v, caller, id) != nil {
			continue
		}
		all = append(all, id)
		if slices.Contains(mine, id) {
			own = append(own, id)
		}
	}
	if len(own) > 0 {
		all = own
	}
	switch len(all) {
	case 0:
		return 0, 0, registry.Failf("listener: you are in no conversation: dialogue.start begins one")
	case 1:
		k, _ := t.talks.Get(v, all[0])
		return k.Speaker, all[0], nil
	}
	slices.Sort(all)
	const most = 8
	var list []string
	for _, id := range all[:min(len(all), most)] {
		k, _ := t.talks.Get(v, id)
		list = append(list, fmt.Sprintf("%s with %s", id, k.Speaker))
	}
	return 0, 0, registry.Invalidf("listener: is required, as there are %d conversations: %s", len(all), strings.Join(list, ", "))
}

// speaks reports why an entity may not speak by a tree for a caller.
func (t *Talks) speaks(v *world.View, caller *profiles.Principal, tr *tree, id world.ID) error {
	if t.Acts(v, caller, id) == nil || t.Acts(v, &profiles.Principal{ID: tr.By}, id) == nil {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "speaker: %s is somebody else's, and speaks by dialogues that its owner has written; this one is %s's", id, tr.By)
}

// far says why two are too far apart for a conversation, "" if they are not.
func far(v *world.View, speaker, listener world.ID, most float64) string {
	if most == 0 {
		return ""
	}
	a, _ := v.Position(speaker)
	b, _ := v.Position(listener)
	d := a.Dist(b)
	if d <= most {
		return ""
	}
	const places = 100
	return fmt.Sprintf("%s is %v m away from %s, and %v m is the most: go nearer", listener, world.Bounded(math.Round(d*places)/places), speaker, most)
}

// talk returns the conversation that two are in. why says that they are in none.
func (t *Talks) talk(v *world.View, speaker, listener world.ID) (k Talk, why string) {
	k, ok := t.talks.Get(v, listener)
	switch {
	case !ok:
		return k, fmt.Sprintf("%s is in no conversation: dialogue.start begins one", listener)
	case k.Speaker != speaker:
		return k, fmt.Sprintf("%s talks with %s, not with %s", listener, k.Speaker, speaker)
	}
	return k, ""
}
