package engine

import (
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// gates asks the gate of the host first, and then reviewers.
type gates struct {
	own    registry.Gate
	review *approval.Gate
}

// gateOf returns the gate of the registry; own may be nil.
func gateOf(own registry.Gate, review *approval.Gate) registry.Gate {
	if own == nil {
		return review
	}
	return gates{own, review}
}

// Concerns reports whether one of the two has to judge.
func (g gates) Concerns(k *registry.Info, p *profiles.Principal) bool {
	return g.concernsOwn(k, p) || g.review.Concerns(k, p)
}

func (g gates) concernsOwn(k *registry.Info, p *profiles.Principal) bool {
	s, ok := g.own.(registry.Screener)
	return !ok || s.Concerns(k, p)
}

// Judge has reviewers asked only about what the host lets pass.
func (g gates) Judge(p *registry.Pending) registry.Verdict {
	if g.concernsOwn(&p.Skill, &p.Principal) {
		if v := g.own.Judge(p); v.Decision != registry.Allow {
			return v
		}
	}
	return g.review.Judge(p)
}
