package mcp

import (
	"encoding/json"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// setLevel is logging/setLevel: from now on the client is told what is at least as grave.
func setLevel(c *conn, m *message) ([]byte, *rpcError) {
	b := *c.bound.Load()
	if e := b.setLevel(member(m.Params, "level")); e != nil {
		e.message = "level: " + e.message
		return nil, e
	}
	c.bound.Store(&b)
	return nil, nil
}

// setLevel reads a level that a client names.
func (b *binding) setLevel(text []byte) *rpcError {
	name, _ := stringValue(text)
	level, ok := registry.ParseLevel(name)
	if !ok {
		var names []string
		for l := registry.LevelDebug; l <= registry.LevelEmergency; l++ {
			names = append(names, l.String())
		}
		return invalidParams("must be one of " + strings.Join(names, ", "))
	}
	b.level, b.silent = level, false
	return nil
}

// hears reports whether the client wants to be told what is logged at a level.
func (b *binding) hears(level registry.Level) bool { return !b.silent && level >= b.level }

// logMessage returns the notification of something logged.
func logMessage(level registry.Level, logger string, data json.RawMessage) []byte {
	text := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/message","params":{`...)
	text = appendField(text, "level", level.String())
	text = appendField(text, "logger", logger)
	text = append(append(text, `,"data":`...), data...)
	return append(text, "}}"...)
}
