package interaction

import (
	"fmt"
	"math"
	"strconv"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// caller is on whose behalf something is done, and who reads the events of it: a [registry.Call], or a step.
type caller interface {
	Principal() *profiles.Principal
	Emit(kind string, payload any) error
}

var _ caller = (*registry.Call)(nil)

// author is the permission of those who decide what can be done with things.
const author = "interaction.configure"

// actor returns who acts for a caller: whom he names, or else his own body or character.
func (t *Things) actor(v *world.View, caller *profiles.Principal, named world.ID) (world.ID, error) {
	if named == 0 {
		return t.own(v, caller)
	}
	if !v.Exists(named) {
		return 0, v.Unknown(named)
	}
	if !t.cast.Lives(v, named) && !caller.Grants.Has(author) {
		return 0, registry.Errorf(registry.CodeForbidden, "actorEntity: %s is neither a body nor a character: leave it out to act with your own; to have a thing act needs the permission %s", named, author)
	}
	return named, registry.Under("actorEntity", t.cast.Acts(v, caller, named))
}

// own returns a caller's own body, or else his only character.
func (t *Things) own(v *world.View, caller *profiles.Principal) (world.ID, error) {
	switch own := t.cast.Own(v, caller); len(own) {
	case 0:
		return 0, registry.Failf("you have nothing to act with: agent.embody or player.spawn makes it")
	case 1:
		return own[0], nil
	default:
		return 0, registry.Failf("actorEntity: you have %d characters, such as %s and %s: name one", len(own), own[0], own[1])
	}
}

// hand is actor for what somebody may also do from nowhere, who decides what can be done, if he has nothing to act with, or an action of his calls:
// a rule that opens a door opens it wherever his character is. Who acts is 0 then.
func (t *Things) hand(v *world.View, caller *profiles.Principal, named world.ID) (world.ID, error) {
	if named == 0 && caller.Grants.Has(author) && (caller.Session == "" || len(t.cast.Own(v, caller)) == 0) {
		return 0, nil
	}
	return t.actor(v, caller, named)
}

// parts is how many of the parts of a thing count for where it is.
const parts = 256

// bounds returns the box around an entity with what is below it. What has no shape is a point, unless something is below it.
func (t *Things) bounds(v *world.View, id world.ID) solid.Bounds {
	b, n := solid.Nothing(), 1
	if s, ok := solid.Of(t.w, v, id); ok {
		b = s.Bounds()
	}
	for part := range v.Below(id) {
		if n++; n > parts {
			break
		}
		if s, ok := solid.Of(t.w, v, part); ok {
			b = b.Join(s.Bounds())
		}
	}
	if b.Empty() {
		p, _ := v.Position(id)
		b = solid.Bounds{Lo: p, Hi: p}
	}
	return b
}

// apart returns how far two boxes are apart, 0 if they meet.
func apart(a, b solid.Bounds) float64 {
	var d world.Vec3
	for i := range d {
		d[i] = max(0, b.Lo[i]-a.Hi[i], a.Lo[i]-b.Hi[i])
	}
	return world.Bounded(d.Len())
}

// far says why somebody cannot reach something that he has to be near, with nothing in between: "" if he can. Nobody, 0, reaches everything.
func (t *Things) far(v *world.View, caller *profiles.Principal, actor world.ID, to goal) string {
	if actor == 0 {
		return ""
	}
	from := t.bounds(v, actor)
	if d := apart(from, to.box); d > to.most {
		return fmt.Sprintf("%s is %s m away from %s, and %s m is the most; %s", to.what, short(d), actor, short(to.most), t.nearer(v, caller, actor, from.Center(), to.box.Center(), d-0.8*to.most))
	}
	if wall := t.wall(v, actor, from, &to); wall != 0 {
		return t.barred(v, wall, actor.String(), to.what)
	}
	return ""
}

// nearer says what takes somebody so many metres towards a place.
func (t *Things) nearer(v *world.View, caller *profiles.Principal, actor world.ID, from, to world.Vec3, d float64) string {
	way := to.Sub(from)
	way[1] = 0
	at := to
	if l := way.Len(); l > d {
		at = from.Add(way.Scale(d / l))
	}
	at[1] = from[1]
	walk := fmt.Sprintf("navmesh.moveTo {\"entity\":%q,\"target\":[%s,%s,%s]}", actor, short(at[0]), short(at[1]), short(at[2]))
	switch {
	case t.cast.Walks(v, actor):
		return fmt.Sprintf("player.move {\"entity\":%q,\"forward\":1,\"yaw\":%s} takes it there in %s m, or %s", actor, short(math.Atan2(way[0], way[2])), short(d), walk)
	case caller.Grants.Has("social.act") && t.cast.Lives(v, actor):
		return fmt.Sprintf("social.approach {\"target\":[%s,%s,%s],\"talkDistance\":0.5} goes there, or %s", short(at[0]), short(at[1]), short(at[2]), walk)
	}
	return walk + " takes it there"
}

// short writes a number for a message.
func short(f float64) string {
	const places = 100
	if math.Abs(f) > 1e12 {
		return strconv.FormatFloat(f, 'g', 3, 64)
	}
	return strconv.FormatFloat(math.Round(f*places)/places+0, 'f', -1, 64)
}
