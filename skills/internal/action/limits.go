package action

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Limits are what whoever runs the server has taken from those who have had something done later: it counts when that is done. They are part of the world, so that a replay does what was
// done; no checkpoint, save or undo changes them.
type Limits struct {
	Banned   []string                         `json:"banned,omitempty"`   // agents for whom nothing is done, as [profiles.CoversAny] has them
	Profiles map[string][]profiles.Permission `json:"profiles,omitempty"` // what profiles grant now; one that is not among them takes nothing from anybody
}

// Limits returns what limits there are. They are not to be changed.
func (a *Actions) Limits(v *world.View) Limits { return a.limits.Get(v) }

// Limit has other limits count from now on.
func (a *Actions) Limit(tx *world.Tx, l Limits) error {
	if err := a.limits.Set(tx, l); err != nil {
		return err
	}
	for _, fn := range a.limited {
		fn(&tx.View)
	}
	return nil
}

// OnLimit has fn called when other limits count, for who has put something off until they do. It is called where the world is put together.
func (a *Actions) OnLimit(fn func(v *world.View)) { a.limited = append(a.limited, fn) }

// Barred says why nothing is done for an agent, nil where it is.
func (a *Actions) Barred(v *world.View, agent string) error {
	if agent == "" || !profiles.CoversAny(a.limits.Get(v).Banned, agent) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "%s is banned from this server: nothing is done for him", agent)
}

// Rests reports whether nothing is done for an agent.
func (a *Actions) Rests(v *world.View, agent string) bool { return a.Barred(v, agent) != nil }

// lacks says which permission that an action needs the profile does not grant any more with which it was attached, nil for none. Of a call that is for the call to find out.
func (a *Actions) lacks(v *world.View, k *Kept) error {
	now, limited := a.limits.Get(v).Profiles[k.Profile]
	if !limited || k.Caller != nil {
		return nil
	}
	does := k.Action()
	for _, p := range does.needs() {
		if !slices.Contains(now, p) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which the profile %s does not grant any more", p, k.Profile)
		}
	}
	return nil
}

// granted returns what somebody may do of what he was allowed when he attached a call.
func (a *Actions) granted(v *world.View, c *Caller) profiles.Grants {
	then := profiles.Grant(c.Grants...)
	if now, limited := a.limits.Get(v).Profiles[c.Profile]; limited {
		return then.And(profiles.Grant(now...))
	}
	return then
}
