package replica_test

import (
	"encoding/json"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
)

// What is cut off anywhere, and what comes before the snapshot that it stands on, is refused: nobody goes on with half of it.
func TestMalformed(t *testing.T) {
	for encoding, name := range map[statesync.Encoding]string{statesync.Binary: "binary", statesync.Packed: "packed", statesync.JSON: "json"} {
		apply := func(c *replica.Copy, frame []byte) error {
			if encoding == statesync.Binary {
				_, err := c.Binary(frame)
				return err
			}
			_, err := c.Text(frame)
			return err
		}
		all := frames(t, encoding)
		for i, frame := range all {
			for n := 1; n < len(frame); n++ {
				var c replica.Copy
				for _, before := range all[:i] {
					if err := apply(&c, before); err != nil {
						t.Fatal(err)
					}
				}
				if err := apply(&c, frame[:n]); err == nil {
					t.Errorf("%s: %d bytes of %d of message %d were taken", name, n, len(frame), i)
				}
			}
			var c replica.Copy
			if err := apply(&c, frame); (err == nil) != (i == 0) {
				t.Errorf("%s: message %d with nothing before it: %v", name, i, err)
			}
			if c.Forget("v"); i == 0 && apply(&c, all[1]) == nil {
				t.Errorf("%s: a delta of what was forgotten was taken", name)
			}
		}
	}
	var c replica.Copy
	if _, err := c.Notify("state/snapshot", json.RawMessage(`{"tick":1,"entities":[`)); err == nil {
		t.Error("params that are no JSON were taken")
	}
}
