package leak_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/limina-mcp/limina/internal/leak"
)

// A goroutine that ends later than goleak waits for it is none that was left behind.
func TestCheckIsPatient(t *testing.T) {
	begun := goleak.IgnoreCurrent()
	go time.Sleep(2 * time.Second)
	leak.Check(t, begun)
}
