package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/durable"
)

// gates lets nobody change a world that cannot be kept, then asks the gate of the host, and then reviewers.
type gates struct {
	w      *world.World
	store  *atomic.Pointer[durable.Store] // of nil: the world ends with the process
	own    registry.Gate                  // may be nil
	review *approval.Gate
}

// Concerns reports whether one of the three has to judge.
func (g gates) Concerns(k *registry.Info, p *profiles.Principal) bool {
	return g.stuck(k, p) != nil || g.concernsOwn(k, p) || g.review.Concerns(k, p)
}

func (g gates) concernsOwn(k *registry.Info, p *profiles.Principal) bool {
	if g.own == nil {
		return false
	}
	s, ok := g.own.(registry.Screener)
	return !ok || s.Concerns(k, p)
}

// stuck returns why nobody may change anything: the disk has not taken for some time what was changed before. What happens inside a call or a step that goes on already goes on, and
// so does what the engine notes by itself.
func (g gates) stuck(k *registry.Info, p *profiles.Principal) error {
	store := g.store.Load()
	if store == nil || k.Effect == registry.Reads || p.ID == "" {
		return nil
	}
	if err := store.Stuck(); err != nil && g.w.Locked() == nil {
		return err
	}
	return nil
}

// Judge has reviewers asked only about what the host lets pass.
func (g gates) Judge(p *registry.Pending) registry.Verdict {
	if err := g.stuck(&p.Skill, &p.Principal); err != nil {
		return registry.Verdict{Decision: registry.Deny, Code: registry.CodeCapacityExceeded, Reason: unkept(err)}
	}
	if g.concernsOwn(&p.Skill, &p.Principal) {
		if v := g.own.Judge(p); v.Decision != registry.Allow {
			return v
		}
	}
	return g.review.Judge(p)
}

// unkept tells a caller why nothing may be changed, and not where on the disk the world is.
func unkept(err error) string {
	why := "the log says why"
	path := (*fs.PathError)(nil)
	switch {
	case errors.As(err, &path):
		why = path.Err.Error()
	case errors.Is(err, durable.ErrTaken):
		why = "another process has its folder"
	case errors.Is(err, durable.ErrHangs):
		why = err.Error()
	}
	return fmt.Sprintf("the world cannot be kept at present (%s), so nothing is changed until it can: what was done before is there, and would be lost if the server ended now. It is tried again every minute; whoever runs the server has to see to its disk", why)
}
