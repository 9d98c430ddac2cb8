package exchange_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// progressive is a grey JPEG of 8×8 pixels that goes over them so many times, each of which adds nothing.
func progressive(scans int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, payload ...byte) {
		b.Write([]byte{0xff, marker, 0, byte(len(payload) + 2)})
		b.Write(payload)
	}
	b.Write([]byte{0xff, 0xd8})
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0)
	for _, class := range []byte{0x00, 0x10} { // one code, of one bit, which is 0: a difference of none, the end of a block
		segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), 0)...)
	}
	segment(0xda, 1, 1, 0, 0, 0, 0)
	b.WriteByte(0x7f)
	for range scans - 1 {
		segment(0xda, 1, 1, 0, 1, 63, 0)
		b.WriteByte(0x7f)
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// TestScansOfImages: an image that goes over its pixels again and again is not decoded. Of 4096×4096 pixels one of 67 kB took twenty seconds, and one of 7 MB
// half an hour, which nothing ended.
func TestScansOfImages(t *testing.T) {
	dir := t.TempDir()
	for name, scans := range map[string]int{"some.jpg": 100, "many.jpg": 101} {
		if err := os.WriteFile(filepath.Join(dir, name), progressive(scans), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, ann := skilltest.New(t, surfaces(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "material.import", `{"name":"some","albedo":"some.jpg"}`)
	out, err := s.Call(ann, "material.import", `{"name":"many","albedo":"many.jpg"}`)
	const want = "albedo: many.jpg: it goes over its pixels 101 times, 100 times are allowed: save it as a JPEG that is not progressive"
	if err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != want {
		t.Errorf("%s, %v; want %s", out, err, want)
	}
}
