// Package approval parks calls until a reviewer has looked at them.
//
// A [Gate] is given to the registry. It holds the calls of the profiles that are under review,
// unless the skill only reads; the caller is told an approval id. A reviewer lists what
// is held and grants or denies it. A granted call runs as its original caller, with the permissions
// that he has, in a commit of its own; nobody grants his own.
package approval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// How much a gate holds at once unless told otherwise.
const (
	DefaultLimit = 256     // calls
	DefaultBytes = 7 << 20 // of their inputs: the list of all of them has to fit into one answer, see registry.MaxOutput
)

// One caller has at most a quarter of what those of all others leave, so that neither he alone, nor some who fill the queue together, keep
// everybody else's calls out. Where that quarter is less he has this much, while there is room.
const (
	share    = 4
	ownCalls = 1
	ownBytes = 4 << 10
)

// Options configure a [Gate].
type Options struct {
	Profiles []string // whose calls are held
	Limit    int      // how many calls may be held at once; default [DefaultLimit]
	Bytes    int      // how many bytes of input they may have together; default [DefaultBytes]
}

// Held is a parked call.
type Held struct {
	ID        string
	Skill     string
	Principal profiles.Principal
	Tick      uint64 // the newest commit when it arrived
	Input     json.RawMessage
}

// Gate holds calls for review. All methods may be called concurrently.
type Gate struct {
	profiles map[string]bool
	limit    int // calls
	maxBytes int

	mu    sync.Mutex // guards all below
	seq   uint64
	held  []parked // in order of arrival
	bytes int      // of their inputs
}

type parked struct {
	Held
	resume func(context.Context) registry.Result
}

var (
	_ registry.Gate     = (*Gate)(nil)
	_ registry.Screener = (*Gate)(nil)
)

// NewGate returns a gate that holds nothing yet.
func NewGate(o Options) *Gate {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	g := &Gate{profiles: map[string]bool{}, limit: o.Limit, maxBytes: o.Bytes}
	for _, p := range o.Profiles {
		g.profiles[p] = true
	}
	return g
}

// After has no call held under the id of one of as many that may have been held before the gate was there: a reviewer who has looked at one does not grant another one, and what
// came of it is not what came of another. It is called before the first call.
func (g *Gate) After(calls uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seq = max(g.seq, calls)
}

// Concerns reports whether calls of this skill by p are held: those that may change something, see [registry.Info.Changes]. Those of nil, who has no profile, are not.
func (g *Gate) Concerns(k *registry.Info, p *profiles.Principal) bool {
	return p != nil && g.profiles[p.Profile] && k.Changes()
}

// Judge holds the call if its profile is under review and it may do more than read. If too many
// calls are held already, or too large ones, of all callers or of this one, it is refused with capacity_exceeded. Each may have a quarter
// of what all others leave, and at least a call, while there is room.
func (g *Gate) Judge(p *registry.Pending) registry.Verdict {
	if !g.Concerns(&p.Skill, &p.Principal) {
		return registry.Verdict{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	calls, bytes := g.of(p.Principal.Owner())
	mayBytes := max((g.maxBytes-(g.bytes-bytes))/share, ownBytes)
	switch {
	case len(g.held) >= g.limit:
		return full(fmt.Sprintf("%d calls are held already, which is its limit", g.limit))
	case g.bytes+len(p.Input) > g.maxBytes:
		return full(fmt.Sprintf("the inputs of the calls that are held may have %d bytes together", g.maxBytes))
	case calls >= max((g.limit-(len(g.held)-calls))/share, ownCalls):
		return full(fmt.Sprintf("%d of your calls are held already, which is the most for one caller, a quarter of what all others leave: a reviewer has to decide on them", calls))
	case bytes+len(p.Input) > mayBytes:
		return full(fmt.Sprintf("the inputs of your calls that are held may have %d bytes together, a quarter of what all others leave", mayBytes))
	}
	g.seq++
	g.bytes += len(p.Input)
	id := fmt.Sprintf("apr_%d", g.seq)
	g.held = append(g.held, parked{
		Held:   Held{ID: id, Skill: p.Skill.Name, Principal: p.Principal, Tick: p.Tick, Input: p.Input},
		resume: p.Resume,
	})
	return registry.Verdict{Decision: registry.Hold, Reason: id}
}

// of returns how many calls of an owner are held, and how many bytes their inputs have. The lock is held.
func (g *Gate) of(owner string) (calls, bytes int) {
	for i := range g.held {
		if g.held[i].Principal.Owner() == owner {
			calls, bytes = calls+1, bytes+len(g.held[i].Input)
		}
	}
	return calls, bytes
}

func full(reason string) registry.Verdict {
	return registry.Verdict{
		Decision: registry.Deny, Code: registry.CodeCapacityExceeded, Reason: "approval queue: " + reason,
	}
}

// List returns what is held, oldest first.
func (g *Gate) List() []Held {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]Held, len(g.held))
	for i, h := range g.held {
		list[i] = h.Held
	}
	return list
}

// Grant runs a held call and returns what came of it. The call is taken from the gate whatever
// comes. It fails, and the call stays held, if there is none of this id or if it is by's own: of the
// same id, in the same session, or by the same token that is for many ids. It must not be called where a transaction is open.
func (g *Gate) Grant(ctx context.Context, id string, by *profiles.Principal) (Held, registry.Result, error) {
	h, err := g.take(id, nil, func(h Held) error {
		if h.Principal.ID == by.ID || h.Principal.Session != "" && h.Principal.Session == by.Session {
			return registry.Errorf(registry.CodeForbidden, "approvalId: %s is your own call; another reviewer has to grant it", id)
		}
		if h.Principal.Holder != "" && h.Principal.Holder == by.Holder {
			return registry.Errorf(registry.CodeForbidden, "approvalId: %s was called with your own token, for %s; a reviewer with another one has to grant it", id, by.Holder)
		}
		return nil
	})
	if err != nil {
		return Held{}, registry.Result{}, err
	}
	return h.Held, h.resume(ctx), nil
}

// Deny drops a held call. It fails if there is none of this id.
func (g *Gate) Deny(id string) (Held, error) {
	h, err := g.take(id, nil, func(Held) error { return nil })
	return h.Held, err
}

// Withdraw drops a held call for whoever made it. It fails, and the call stays held, if none of by's is held as this id. Of what others have
// held it tells nothing.
func (g *Gate) Withdraw(id string, by *profiles.Principal) (Held, error) {
	h, err := g.take(id, by, func(Held) error { return nil })
	return h.Held, err
}

// maxShown is how much is told of an id that nothing has, in bytes.
const maxShown = 48

// take removes a held call, if may agrees: of somebody's own, who is told of no others, or, nil, of all.
func (g *Gate) take(id string, own *profiles.Principal, may func(Held) error) (parked, error) {
	theirs := func(h *Held) bool { return own == nil || h.Principal.ID == own.ID }
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.IndexFunc(g.held, func(h parked) bool { return h.ID == id && theirs(&h.Held) })
	if at < 0 {
		which := "no call"
		if own != nil {
			which = "no call of yours"
		}
		return parked{}, registry.Failf("approvalId: %s is held as %q; %s", which, clip.Shown(id, maxShown), g.heldIDs(theirs))
	}
	h := g.held[at]
	if err := may(h.Held); err != nil {
		return parked{}, err
	}
	g.held = slices.Delete(g.held, at, at+1)
	g.bytes -= len(h.Input)
	return h, nil
}

// heldIDs says which ids there are, for a message to whose they are.
func (g *Gate) heldIDs(theirs func(*Held) bool) string {
	const most = 8
	var ids []string
	for _, h := range g.held {
		if theirs(&h.Held) && len(ids) < most {
			ids = append(ids, h.ID)
		}
	}
	if len(ids) == 0 {
		return "nothing is held"
	}
	return "held are " + strings.Join(ids, ", ")
}
