// Package quote prepares what callers sent for being named in a message.
package quote

import "strings"

// Clip cuts s short, at 48 bytes, for being quoted.
func Clip(s string) string {
	const most = 48
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
