package world_test

import (
	"context"

	"github.com/limina-mcp/limina/world"
)

// call is a caller as package registry is one: it keeps the transaction that is opened on it and
// ends it.
type call struct {
	tx    *world.Tx
	agent string
	skill string
	seen  uint64 // 0: it does not say

	holder string
}

var _ world.Caller = (*call)(nil)

func (c *call) Context() context.Context { return context.Background() }

func (c *call) Transaction() any {
	if c.tx == nil {
		return nil
	}
	return c.tx
}

func (c *call) Begin(tx any) { c.tx = tx.(*world.Tx) }

func (c *call) Author() (agent, skill string) { return c.agent, c.skill }

func (c *call) Holder() string { return c.holder }

func (c *call) Seen() (revision uint64, ok bool) { return c.seen, c.seen != 0 }

// end does what the pipeline does after the handler.
func (c *call) end(intent uint64, failed bool) {
	tx := c.tx
	if c.tx = nil; tx == nil {
		return
	}
	if failed {
		tx.Rollback()
		return
	}
	tx.Commit(intent)
}
