package profiles

import (
	"slices"
	"strings"
)

// Kind says what sort of caller a [Principal] is. It carries no rights.
type Kind string

// The kinds of caller.
const (
	KindUser     Kind = "user"     // a person
	KindApp      Kind = "app"      // the program that embeds the world
	KindAgent    Kind = "agent"    // a model, or a script in its place
	KindExternal Kind = "external" // a client of another system that reached us over the network
	KindOperator Kind = "operator" // whoever runs the server
)

// Principal is who makes a call. A session fixes it when it begins; nothing in a call's payload changes it. The zero
// Principal may do only what needs nothing.
type Principal struct {
	Kind    Kind
	ID      string // the agent's or user's id, as events name it
	Holder  string // whom what he takes of what is scarce counts for, with whoever else is of the same holder; "" is ID alone
	Session string
	Brief   bool   // the session is for one request alone: its end says nothing about who made it
	Profile string // the name Grants was resolved from, for messages and the record
	Grants  Grants
}

// Owner is by whom shares of what is scarce are counted: who has a token that is for many ids has no more for all of them than one has.
func (p *Principal) Owner() string {
	if p.Holder != "" {
		return p.Holder
	}
	return p.ID
}

// Covers reports whether an id is what a pattern means: itself or, where that ends with "*", one that begins with what stands before that.
func Covers(pattern, id string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return open && strings.HasPrefix(id, prefix) || !open && id == pattern
}

// CoversAny reports whether one of some patterns means an id, as [Covers] has it.
func CoversAny(patterns []string, id string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Covers(p, id) })
}

// Leaves reports whether he has a session whose end says that he has gone: neither the engine's host has one, nor a client of the stateless era over HTTP, nor
// somebody in whose name an action calls.
func (p *Principal) Leaves() bool { return p.Session != "" && !p.Brief }
