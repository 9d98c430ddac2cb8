package behavior

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// SlotIn is what a routine has somebody do from an hour on.
type SlotIn struct {
	Hour     float64     `json:"hour" validate:"gte=0,lt=24" jsonschema_description:"From which hour of the day on: 6.5 is half past six. goTo, use and free hold until the next of these, past midnight too. Of those of one hour say, emit and animation are done in the order of the list, beside one goTo, use or free."`
	Action   string      `json:"action" validate:"oneof=goTo use say emit animation free" jsonschema_description:"goTo: be at position, or with the entity target. use: go to the thing target, and do what it is there for, once (interaction.register). say: say target aloud, once. emit: emit the event target about itself, once. animation: play the clip target. free: pursue its goals. While it is to be somewhere, or to use something, goals of a priority above 0 only are pursued."`
	Target   string      `json:"target,omitempty" validate:"omitempty,max=280" jsonschema_description:"goTo, use: the id of an entity. say: the text. emit: the name of the event. animation: the id of the clip."`
	Position *world.Vec3 `json:"position,omitempty" jsonschema_description:"goTo: where, in metres; x and z count."`
}

// RoutineIn is a routine that is to be.
type RoutineIn struct {
	ID       string          `json:"id" validate:"min=1,max=128" jsonschema_description:"What npc.setRoutine calls it."`
	Name     string          `json:"name" validate:"max=128" jsonschema_description:"What it is, for people."`
	Schedule []SlotIn        `json:"schedule" validate:"max=48" jsonschema_description:"What is done from which hour on, in any order. It goes by world.setTime."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"speed: how fast it walks, in metres a second. All else changes nothing."`
}

// routine is what is done when. Its slots are in the order of their hours; those of one hour are in force together, and one of them lasts at most.
type routine struct {
	ID    string  `json:"id"`
	Slots []slot  `json:"slots,omitempty"`
	Speed float64 `json:"speed,omitempty"`
}

// slot is what is done from an hour on: an errand, which is like a goal, or something at once; nothing of both leaves it to the goals.
type slot struct {
	Hour   float64      `json:"hour"`
	Errand *goal        `json:"errand,omitempty"`
	Say    string       `json:"say,omitempty"`
	Do     *action.Kept `json:"do,omitempty"`
	By     string       `json:"by"`
}

// size is how many bytes a routine has.
func (r *routine) size() int {
	n := len(r.ID)
	for i := range r.Slots {
		n += len(r.Slots[i].Say)
		if do := r.Slots[i].Do; do != nil {
			n += len(do.Target) + len(do.Data)
		}
	}
	return n
}

// lasts reports whether a slot says what is done until the next one that does.
func (s *slot) lasts() bool { return s.Say == "" && s.Do == nil }

// at returns which slot is in force at an hour, with those that begin with it, -1 if there is none. It is the last of them. Where all begin at one hour it is the same
// all day: waned says that this was half a day ago or more, so that the next day is noticed.
func (r *routine) at(hour float64) (in int, waned bool) {
	in = len(r.Slots) - 1 // since yesterday
	if in < 0 {
		return in, false
	}
	if only := r.Slots[in].Hour; r.Slots[0].Hour == only {
		since := hour - only
		if since < 0 {
			since += 24
		}
		return in, since >= 12
	}
	for i := range r.Slots {
		if r.Slots[i].Hour <= hour {
			in = i
		}
	}
	return in, false
}

// lasting returns which slot says what goes on while one is in force, -1 if none does: what is done in a moment ends nothing. It may be one of yesterday's.
func (r *routine) lasting(at int) int {
	if at < 0 || at >= len(r.Slots) {
		return -1
	}
	for at < len(r.Slots)-1 && r.Slots[at+1].Hour == r.Slots[at].Hour {
		at++
	}
	for n := range len(r.Slots) {
		if i := (at - n + len(r.Slots)) % len(r.Slots); r.Slots[i].lasts() {
			return i
		}
	}
	return -1
}

// routine returns what is kept of a routine that somebody writes.
func (in *RoutineIn) routine(w *world.World, c *registry.Call, field string) (r routine, err error) {
	r.ID = in.ID
	if r.Speed, err = speed(field+".config", in.Config); err != nil {
		return r, err
	}
	for i := range in.Schedule {
		s, err := in.Schedule[i].slot(w, c, fmt.Sprintf("%s.schedule[%d].", field, i))
		if err != nil {
			return r, err
		}
		if s.Errand != nil {
			s.Errand.Speed = r.Speed
		}
		r.Slots = append(r.Slots, s)
	}
	slices.SortStableFunc(r.Slots, func(a, b slot) int { return cmp.Compare(a.Hour, b.Hour) })
	lasting := -1 // the one before that lasts
	for i := range r.Slots {
		s := &r.Slots[i]
		if !s.lasts() {
			continue
		}
		if lasting >= 0 && r.Slots[lasting].Hour == s.Hour {
			return r, registry.Invalidf("%s.schedule: two of goTo, use and free begin at the hour %v, of which one is allowed; say, emit and animation may begin with it", field, s.Hour)
		}
		lasting = i
	}
	return r, nil
}

// with returns the slots that are in force together with one, in the order in which they were written.
func (r *routine) with(at int) []slot {
	from := at
	for from > 0 && r.Slots[from-1].Hour == r.Slots[at].Hour {
		from--
	}
	return r.Slots[from : at+1]
}

// slot returns what is kept of a slot. What is wrong is named from field on.
func (in *SlotIn) slot(w *world.World, c *registry.Call, field string) (slot, error) {
	s := slot{Hour: in.Hour, By: c.Principal().ID}
	if in.Position != nil && in.Action != "goTo" {
		return s, registry.Invalidf(`%sposition: is for "action":"goTo"`, field)
	}
	if in.Target == "" && in.Action != "goTo" && in.Action != "free" {
		return s, registry.Invalidf("%starget: %s needs %s", field, in.Action, wanted[in.Action])
	}
	switch in.Action {
	case "free":
		if in.Target != "" {
			return s, registry.Invalidf("%starget: free takes none", field)
		}
	case "say":
		s.Say = in.Target
	case "goTo", "use":
		g, err := in.errand(c.Principal(), field)
		s.Errand = g
		return s, err
	default:
		k, err := in.act(w, c)
		s.Do = k
		return s, registry.Under(field[:len(field)-1], err)
	}
	return s, nil
}

// wanted is what actions need as their target.
var wanted = map[string]string{
	"use": "the id of a thing", "say": "a text", "emit": "the name of an event", "animation": "the id of a clip",
}

// errand returns where a slot has somebody go.
func (in *SlotIn) errand(by *profiles.Principal, field string) (*goal, error) {
	g := &goal{Type: "goTo", Position: in.Position, By: by.ID}
	if in.Action == "use" {
		g.Type = "interact"
		if err := needs(by, "interaction.write", field+"action", "use"); err != nil {
			return nil, err
		}
	}
	if (in.Target == "") == (in.Position == nil) {
		return nil, registry.Invalidf("%sposition: goTo needs it, or target, the id of an entity, and not both", field)
	}
	if in.Target == "" {
		return g, nil
	}
	var err error
	if g.Target, err = world.ParseID(in.Target); err != nil {
		return nil, registry.Invalidf("%starget: %v", field, err)
	}
	return g, nil
}

// act returns what a slot has the server do.
func (in *SlotIn) act(w *world.World, c *registry.Call) (*action.Kept, error) {
	a := action.Action{Type: in.Action, Target: in.Target}
	if in.Action == "animation" {
		data, err := json.Marshal(map[string]string{"clipId": in.Target})
		if err != nil {
			return nil, err
		}
		a.Target, a.Data = "", data
	}
	if err := a.Check(w, c); err != nil {
		return nil, err
	}
	k := a.Keep(c.Principal())
	return &k, nil
}

// needs refuses what somebody writes who lacks a permission for it.
func needs(by *profiles.Principal, p profiles.Permission, field, what string) error {
	if by.Grants.Has(p) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "%s: missing permission: %s, which %s needs", field, p, what)
}
