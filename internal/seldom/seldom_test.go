package seldom_test

import (
	"testing"
	"time"

	"github.com/limina-mcp/limina/internal/seldom"
)

// Of many things in a second the first ones are told, and the next one that is says how many were not.
func TestNotes(t *testing.T) {
	var n seldom.Notes
	at := time.Unix(1000, 0)
	for i := range seldom.MaxNoted + 5 {
		if left, ok := n.Note(at); left != 0 || ok != (i < seldom.MaxNoted) {
			t.Errorf("note %d: %d, %v", i, left, ok)
		}
	}
	if left, ok := n.Note(at.Add(time.Second)); left != 5 || !ok {
		t.Errorf("a second later: %d, %v", left, ok)
	}
}
