package picture

import (
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// MaxInside is how many pictures a call may draw that has a transaction open: everybody waits for it meanwhile.
const MaxInside = 4

// turns has pictures drawn a few at a time.
type turns struct {
	all *registry.Turns

	mu     sync.Mutex // guards what follows: of the call that has the transaction, as there is one at a time
	intent uint64
	drawn  int
}

// take waits until a picture may be drawn; done says that it is. It does not wait where the world would have to, too: inside
// a transaction. There it counts.
func (t *turns) take(c *registry.Call) (done func(), err error) {
	if c.Transaction() != nil {
		if err := t.count(c.Intent()); err != nil {
			return nil, err
		}
	}
	return t.all.Take(c)
}

// count counts a picture of the call that has the transaction.
func (t *turns) count(intent uint64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.intent != intent {
		t.intent, t.drawn = intent, 0
	}
	if t.drawn == MaxInside {
		return registry.Errorf(registry.CodeCapacityExceeded,
			"at most %d pictures can be drawn inside one call such as world.batch, because everybody waits for it: look at the rest after it", MaxInside)
	}
	t.drawn++
	return nil
}
