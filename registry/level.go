package registry

import "strconv"

// Level says how grave a message is that a call logs for its client.
type Level uint8

// The levels of RFC 5424, which MCP uses.
const (
	LevelDebug Level = iota
	LevelInfo
	LevelNotice
	LevelWarning
	LevelError
	LevelCritical
	LevelAlert
	LevelEmergency
)

var levelNames = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return "level " + strconv.Itoa(int(l))
	}
	return levelNames[l]
}

// ParseLevel returns the level of a name, false if it is none.
func ParseLevel(name string) (Level, bool) {
	for i, n := range levelNames {
		if n == name {
			return Level(i), true
		}
	}
	return 0, false
}

// Log tells the client of the call something, if it wants to hear of that level: a text, or whatever
// encoding/json can write. What cannot be written is left out. It does not wait.
func (c *Call) Log(level Level, data any) {
	if c.client == nil || level > LevelEmergency {
		return
	}
	if text, err := payloadText(data); err == nil {
		c.client.Log(level, c.skill.info.Name, text)
	}
}
