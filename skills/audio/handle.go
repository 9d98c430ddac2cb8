package audio

import (
	"encoding"

	"github.com/limina-mcp/limina/skills/internal/handle"
)

// Handle names a sound. The n-th sound of a world, counted from 0, is "snd_<n>". No handle names two
// sounds that were committed.
type Handle = handle.Of[sound]

var (
	_ encoding.TextAppender    = Handle(0)
	_ encoding.TextUnmarshaler = (*Handle)(nil)
)

type sound struct{}

func (sound) Prefix() string { return "snd_" }
func (sound) Noun() string   { return "sound" }

// ParseHandle reads the text of a handle. Only the canonical form is taken: "snd_7", not "snd_07".
func ParseHandle(s string) (Handle, error) { return handle.Parse[sound](s) }

// nearest says which of the sounding handles are nearest to h.
func nearest(all []Handle, h Handle) string {
	if len(all) == 0 {
		return "nothing is playing"
	}
	return handle.Nearest(all, h)
}
