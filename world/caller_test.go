package world_test

import (
	"context"

	"github.com/limina-mcp/limina/world"
)

// call is a caller as package registry is one: it keeps the transaction that is opened on it and
// ends it.
type call struct {
	tx *world.Tx
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
