package ui

import (
	"encoding"

	"github.com/limina-mcp/limina/skills/internal/handle"
)

// Handle names a panel. The n-th panel of a world, counted from 0, is "ui_<n>". No handle names two
// panels that were committed.
type Handle = handle.Of[panel]

var (
	_ encoding.TextAppender    = Handle(0)
	_ encoding.TextUnmarshaler = (*Handle)(nil)
)

type panel struct{}

func (panel) Prefix() string { return "ui_" }
func (panel) Noun() string   { return "panel" }

// ParseHandle reads the text of a handle. Only the canonical form is taken: "ui_7", not "ui_07".
func ParseHandle(s string) (Handle, error) { return handle.Parse[panel](s) }

// nearest says which of the shown handles are nearest to h.
func nearest(all []Handle, h Handle) string {
	if len(all) == 0 {
		return "no panel is shown"
	}
	return handle.Nearest(all, h)
}
