// Package quote prepares what callers sent for being named in a message.
package quote

import (
	"fmt"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/internal/wire"
)

// Clip cuts s short, at 48 bytes, for being quoted.
func Clip(s string) string {
	const most = 48
	return clip.Shown(s, most)
}

// Others says which of all, one at least, may have been meant by a name that is not there, or which there are.
func Others(got string, all []string) string {
	if near := wire.Nearest(got, all); near != "" {
		return fmt.Sprintf("the nearest is %q", Clip(near))
	}
	if len(all) == 1 {
		return fmt.Sprintf("there is %q", Clip(all[0]))
	}
	return fmt.Sprintf("there are %d, such as %q", len(all), Clip(all[0]))
}
