package share

import (
	"iter"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// What stays until somebody removes it, such as zones and listeners, is shared less strictly than what waits for a step: one may have three times as much as is left for
// all others. That is three quarters of all for one alone, and always some for one more.

// Kept is what stays: how it is bounded, and what a caller is told who has his share of it.
type Kept struct {
	Most int    // of all
	What string // they are: "zones"
	Free string // what makes room: "trigger.remove takes one away"
}

// Room reports why an agent who has so many of those that are there may not have one more: capacity_exceeded, with whatever is the most for all too.
func (k *Kept) Room(has, there int) error {
	left := k.Most - there
	switch {
	case left <= 0:
		return registry.Errorf(registry.CodeCapacityExceeded, "there are %d %s, which is the most; %d are yours: %s", there, k.What, has, k.Free)
	case has >= 3*left:
		return registry.Errorf(registry.CodeCapacityExceeded, "%d of %d %s are yours, and the %d that are left are for others: %s", has, k.Most, k.What, left, k.Free)
	}
	return nil
}

// RoomFor is Room for n more, of what is counted in bytes or particles.
func (k *Kept) RoomFor(n, has, there int) error {
	left := k.Most - there
	switch {
	case n > left:
		return registry.Errorf(registry.CodeCapacityExceeded, "with this there would be %d %s, at most %d; %d are yours: %s", there+n, k.What, k.Most, has, k.Free)
	case has+n > 3*(left-n+1):
		return registry.Errorf(registry.CodeCapacityExceeded, "with this %d of %d %s would be yours, and the %d that are left are for others: %s", has+n, k.Most, k.What, left-n, k.Free)
	}
	return nil
}

// Ample reports whether there is room for one more whosever those are that are there, so that nobody has to look.
func (k *Kept) Ample(there int) bool { return there < 3*(k.Most-there) }

// RoomAmong is Room for an agent, or what [Key] has made of two, where so many are there, of which those that are known to be somebody's are told with whose they are. Nobody looks where there is
// room anyway.
func RoomAmong[K any](v *world.View, k *Kept, there int, owners iter.Seq2[K, string], agent string) error {
	if k.Ample(there) {
		return nil
	}
	has, is := 0, Like(v, agent)
	for _, of := range owners {
		if is(of) {
			has++
		}
	}
	return k.Room(has, there)
}

// RoomIn is Room by looking at all rows: what is made now and then needs no count of its own.
func RoomIn[K, T any](v *world.View, k *Kept, rows iter.Seq2[K, T], agent string, by func(*T) string) error {
	has, there, is := 0, 0, Like(v, agent)
	for _, row := range rows {
		there++
		if is(by(&row)) {
			has++
		}
	}
	return k.Room(has, there)
}

// Like returns what says whether something that is somebody's counts for an agent: what is his own, or, where one token is for many names, of which his is one, of any of them ([world.View.Holder]).
// Either may be what [Key] has made of two.
func Like(v *world.View, agent string) func(of string) bool {
	mine := whole(v, agent)
	return func(of string) bool { return of == agent || whole(v, of) == mine }
}

// whole is [Key] of what Key has made before, of agents or of their tokens.
func whole(v *world.View, key string) string {
	agent, cause, _ := strings.Cut(key, between)
	return Key(v, agent, cause)
}
