package replica_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// A copy and its updates hold nothing of the frames they came in, which whoever reads them uses again.
func TestFrameUsedAgain(t *testing.T) {
	for encoding, name := range map[statesync.Encoding]string{statesync.Binary: "binary", statesync.Packed: "packed", statesync.JSON: "json"} {
		var kept, used replica.Copy
		all := frames(t, encoding)
		for i, frame := range all[:len(all)-1] { // the last resumes at an earlier tick
			var want, got []replica.Update
			var err error
			buf := bytes.Clone(frame)
			if encoding == statesync.Binary {
				want, _ = kept.Binary(frame)
				got, err = used.Binary(buf)
			} else {
				want, _ = kept.Text(frame)
				got, err = used.Text(buf)
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range buf {
				buf[i] = '#'
			}
			unexported := cmpopts.IgnoreUnexported(replica.View{}, replica.Entity{})
			for _, u := range got {
				if changed := slices.Compact(slices.Sorted(slices.Values(u.Changed))); len(changed) != len(u.Changed) {
					t.Errorf("%s, message %d: %v have changed, one more than once", name, i, u.Changed)
				}
			}
			if diff := cmp.Diff(want, got, unexported); diff != "" || len(got) != 1 {
				t.Errorf("%s, message %d (-kept +used again):\n%s", name, i, diff)
			}
		}
	}
}

// What a snapshot does not say is not known, whatever was said before it.
func TestSnapshotAnew(t *testing.T) {
	var c replica.Copy
	for _, text := range []string{
		`{"tick":9,"step":9,"epoch":"a","aoi":{"center":[1,2,3],"radius":4},"entities":[{"id":"ent_1","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}],"world":{"weather":1,"t":{"k":1}},"tables":["t"]}`,
		`{"tick":1,"step":1}`,
	} {
		if _, err := c.Notify("state/snapshot", json.RawMessage(text)); err != nil {
			t.Fatal(err)
		}
	}
	want := &replica.View{Tick: 1, Step: 1}
	if diff := cmp.Diff(want, c.View(""), cmpopts.IgnoreUnexported(replica.View{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What no server says is refused: nothing is taken for something else.
func TestWrong(t *testing.T) {
	const entity = `{"id":"ent_4","pos":[1,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}`
	snapshots := map[string]string{"json": `{"tick":1,"entities":[` + entity + `]}`, "packed": `{"tick":1,"precision":10,"entered":[[0,4,1024,0,0]]}`}
	for _, tt := range []struct{ encoding, delta, want string }{
		{"json", `{}`, "a message without a tick"},
		{"json", `{"tick":18446744073709551616}`, "must be an integer that is not negative"},
		{"json", `{"tick":-1}`, "must be an integer that is not negative"},
		{"json", `{"tick":-1,"step":1}`, "must be an integer that is not negative"},
		{"json", `{"tick":2,"step":1.5}`, "must be an integer that is not negative"},
		{"json", `{"tick":2,"causedBy":["a"]}`, "must be an integer that is not negative"},
		{"json", `{"tick":2,"changes":{}}`, "must be an array"},
		{"json", `{"tick":2,"changes":[` + strings.Replace(entity, "[1,0,0]", "[1,0,0,0]", 1) + `]}`, "must be arrays of three, four and three numbers"},
		{"json", `{"tick":2,"changes":[` + strings.Replace(entity, "[1,0,0]", "[1,0]", 1) + `]}`, "must be arrays of three, four and three numbers"},
		{"json", `{"tick":2,"changes":[` + strings.Replace(entity, `,"scale":[1,1,1]`, "", 1) + `]}`, "must be arrays of three, four and three numbers"},
		{"json", `{"tick":2,"removed":["ent_x"]}`, "is no entity id"},
		{"json", `{"tick":2,"aoi":{"center":[0,0,0]}}`, "an aoi has a center and no radius"},
		{"json", `{"tick":2,"aoi":{"radius":0}}`, "a radius and no center"},
		{"json", `{"tick":2,"tables":["t"],"world":{"t":1}}`, "must be an object"},
		{"packed", `{"tick":2,"gone":[-1]}`, "-1 is no slot"},
		{"packed", `{"tick":2,"gone":[4294967296]}`, "4294967296 is no slot"},
		{"packed", `{"tick":2,"gone":[1]}`, "slot 1 is gone and was empty"},
		{"packed", `{"tick":2,"placed":[4294967296,1,1,1]}`, "slot 4294967296 is empty"},
		{"packed", `{"tick":2,"placed":[-4294967296,1,1,1]}`, "slot -4294967296 is empty"},
		{"packed", `{"tick":2,"placed":[0,1,1]}`, "a list ends in the middle"},
		{"packed", `{"tick":2,"moved":[1,1,1,1,1,1]}`, "a list ends in the middle"},
		{"packed", `{"tick":2,"moved":[2,1,1,1]}`, "slot 1 is empty"},
		{"packed", `{"tick":2,"turned":[2,1]}`, "slot 1 is empty"},
		{"packed", `{"tick":2,"precision":0}`, "precision must be 1 to 16, got 0"},
		{"packed", `{"tick":2,"precision":17}`, "precision must be 1 to 16, got 17"},
		{"packed", `{"tick":2,"entered":[[1,5,0,0]]}`, "an entity that enters has 4 values"},
		{"packed", `{"tick":2,"entered":[[1,5,0,0,0,0,1,{},0]]}`, "an entity that enters has 9 values"},
		{"packed", `{"tick":2,"entered":[[0,5,0,0,0]]}`, "slot 0 has entity 4, and entity 5 enters"},
		{"packed", `{"tick":2,"parts":[[0]]}`, "a part that has changed has 1 values"},
		{"packed", `{"tick":2,"parts":[[0,"a",1,2]]}`, "a part that has changed has 4 values"},
		{"packed", `{"tick":2,"scaled":[[0,1,1]]}`, "there are 3 numbers, not 4"},
	} {
		var c replica.Copy
		if _, err := c.Notify("state/snapshot", json.RawMessage(snapshots[tt.encoding])); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Notify("state/delta", json.RawMessage(tt.delta)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.delta, err, tt.want)
		}
	}
}

// What no server says in binary is refused as well, whatever it would be cut off to.
func TestWrongInBinary(t *testing.T) {
	number := func(n uint64) string { return string(binary.AppendUvarint(nil, n)) }
	// A snapshot at tick 1, in quanta of 1/1024 m, in which entity 4 enters slot 0.
	const snapshot = "\x01\x0a\x01\x06\x01\x04\x00"
	for name, tt := range map[string]struct{ frame, want string }{
		"a slot far behind":       {"\x00\x01" + number((1<<32+1)<<2) + "\x01\x01\x01\x00", "slot 4294967296"},
		"no slot":                 {"\x00\x01\x01\x01\x01\x01\x00", "slot -1"},
		"the same slot twice":     {"\x00\x01\x05\x02\x02\x02\x01\x02\x02\x02\x00", "slot 0"},
		"an empty slot":           {"\x00\x01\x08\x01\x01\x01\x00", "slot 1 is empty"},
		"a slot that is taken":    {"\x00\x01\x06\x01\x05\x00", "slot 0 has entity 4, and entity 5 enters"},
		"gone from an empty slot": {"\x40\x01\x01\x01\x00", "slot 1 is gone and was empty"},
		"more gone than bytes":    {"\x40\x01\x7f\x00", "127 are announced, 1 bytes are left"},
		"a part without a name":   {"\x20\x01\x01\x01a\x06\x40\x04\x011\x00\x00", "part 1 has no name"},
		"a part that is no JSON":  {"\x20\x01\x01\x01a\x06\x40\x02\x01{\x00\x00", "a of entity 4 is no JSON"},
		"no snapshot before":      {"\x04\x07\x01\x00", "a delta of subscription 7 before its snapshot"},
		"nothing to resume":       {"\x06\x07\x01n\x0a\x01\x00", `subscription "n" is resumed and there is none`},
		"a precision of nothing":  {"\x01\x00\x01\x00", "precision must be 1 to 16, got 0"},
		"a rest of no JSON":       {"\x80\x01\x00\x01{", "unexpected end of JSON input"},
	} {
		var c replica.Copy
		if u, err := c.Binary([]byte(snapshot)); err != nil || len(u) != 1 || c.View("").Entities[4] == nil {
			t.Fatalf("%+v, %v", u, err)
		}
		if _, err := c.Binary([]byte(tt.frame)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	// A rotation that is none stays a number.
	var c replica.Copy
	if _, err := c.Binary([]byte(snapshot + "\x00\x01\x06\x08\x00\x00\x00\x00\x00")); err != nil {
		t.Fatal(err)
	}
	if r := c.View("").Entities[4].Rot; math.IsNaN(r[0]) || r[0] != 0 {
		t.Errorf("the rotation is %v", r)
	}
}
