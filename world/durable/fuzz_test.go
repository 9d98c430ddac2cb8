package durable

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen opens files that say anything, with sums that are right: they are refused, or are a world that is the same when it is opened
// again.
func FuzzOpen(f *testing.F) {
	s := newSample()
	tracker, err := s.Track()
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		s.change(f, n)
		f.Add(string(tracker.Append(nil)))
	}
	_ = tracker.Whole(func(piece []byte) error {
		f.Add(string(piece))
		return nil
	})
	const around = `{"tick":3,"step":2,"given":9,"random":"cGNnOgAAAAAAAAABAAAAAAAAAAA=",`
	for _, text := range []string{
		`"entities":{"ent_0":{"parent":"ent_1","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]},"ent_1":{"parent":"ent_0","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}}}`,
		`"entities":{"ent_0":{"pos":[0,0,0],"rot":[0,0,0,0],"scale":[0,1,1],"parts":{"name":"","tags":["a","a"],"light":{},"rigidBody":null}}}}`,
		`"entities":{"":null},"tables":{"rows":null}}`,
		`"tables":{"rows":{"counter":1,"rows":{"a":1.5}}},"globals":{"global":null}}`,
	} {
		f.Add(around + text)
	}
	head := appendLine(nil, func(dst []byte) []byte { return append(dst, `{"format":"limina world","version":1}`...) })
	f.Fuzz(func(t *testing.T, image string) {
		image = `{"image":` + image + `,"whole":true,"ended":true}`
		var l line
		if err := json.Unmarshal([]byte(image), &l); err == nil && l.Image != nil && l.Image.Given > 1<<20 {
			return // it takes long
		}
		text := appendLine(head[:len(head):len(head)], func(dst []byte) []byte { return append(dst, image...) })
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), text, 0o600); err != nil {
			t.Fatal(err)
		}
		open := func() (*sample, error) {
			n := newSample()
			store, err := Open(n.World, dir, Options{})
			if err != nil {
				return nil, err
			}
			return n, store.Close()
		}
		first, err := open()
		if err != nil {
			return
		}
		second, err := open()
		if err != nil {
			t.Fatalf("what was opened and closed is refused: %v", err)
		}
		if first.Hash() != second.Hash() {
			t.Error("what was opened and closed is another world")
		}
	})
}
