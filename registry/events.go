package registry

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/trace"
)

// The types of the pipeline's own events. Everything a caller can name an event has a prefix of
// its own, so that it never looks like one of these.
const (
	EventExecuted = "skill.executed" // {skill, version, intent, profile, input}
	EventRefused  = "skill.refused"  // {skill, intent, profile, code, reason, required?}
	EventFailed   = "skill.failed"   // {skill, version, intent, profile, code, reason, input}
	EventHeld     = "approval.held"  // {skill, version, intent, profile, approvalId, input}
)

// maxLoggedInput bounds what an event says of an input: a longer one is named by its length.
const maxLoggedInput = 64 << 10

// draftList collects the events of one call until it commits. Payloads lie in one buffer.
type draftList struct {
	drafts []trace.Draft
	spans  [][2]int // of each draft's payload in text
	text   []byte
}

func (l *draftList) reset() {
	clear(l.drafts)
	l.drafts, l.spans, l.text = l.drafts[:0], l.spans[:0], l.text[:0]
	if cap(l.text) > 1<<20 {
		l.text = nil
	}
}

// begin starts a draft; the payload is appended to text, then end is called.
func (l *draftList) begin(c *Call, typ string, parent int) int {
	at := len(l.drafts)
	l.drafts = append(l.drafts, trace.Draft{
		Type: typ, Actor: c.principal.ID, Session: c.principal.Session, Time: c.root.start, Parent: parent,
	})
	l.spans = append(l.spans, [2]int{len(l.text), len(l.text)})
	return at
}

func (l *draftList) end(at int) { l.spans[at][1] = len(l.text) }

func (l *draftList) add(c *Call, typ string, parent int, payload []byte) {
	at := l.begin(c, typ, parent)
	l.text = append(l.text, payload...)
	l.end(at)
}

// truncate drops the drafts from at on.
func (l *draftList) truncate(at int) {
	if at < len(l.drafts) {
		l.text = l.text[:l.spans[at][0]]
		l.drafts, l.spans = l.drafts[:at], l.spans[:at]
	}
}

// ready returns the drafts with their payloads and the tick of their commit.
func (l *draftList) ready(tick uint64) []trace.Draft {
	for i := range l.drafts {
		l.drafts[i].Payload = l.text[l.spans[i][0]:l.spans[i][1]:l.spans[i][1]]
		l.drafts[i].Tick = tick
	}
	return l.drafts
}

// executed drafts the event of a call whose handler is about to run.
func (c *Call) executed(input []byte) {
	l := &c.root.log
	l.begin(c, EventExecuted, c.up)
	l.text = append(l.text, `{"skill":`...)
	l.text = appendCall(l.text, c)
	l.text = appendInput(l.text, input)
	l.text = append(l.text, '}')
	l.end(c.slot)
}

// failed replaces whatever the call has drafted by the event of its failure.
func (c *Call) failed(typ string, e *Error, input []byte) {
	l := &c.root.log
	l.truncate(c.slot)
	l.begin(c, typ, c.up)
	l.text = append(l.text, `{"skill":`...)
	l.text = appendCall(l.text, c)
	if typ == EventHeld {
		l.text = append(l.text, `,"approvalId":`...)
		l.text = wire.AppendString(l.text, e.Message)
	} else {
		l.text = append(l.text, `,"code":`...)
		l.text = wire.AppendString(l.text, string(e.Code))
		l.text = append(l.text, `,"reason":`...)
		l.text = wire.AppendString(l.text, e.Message)
	}
	if e.Code == CodeForbidden {
		l.text = append(l.text, `,"required":[`...)
		for i, p := range c.skill.info.Permissions {
			if i > 0 {
				l.text = append(l.text, ',')
			}
			l.text = wire.AppendString(l.text, string(p))
		}
		l.text = append(l.text, ']')
	}
	if typ != EventRefused {
		l.text = appendInput(l.text, input)
	}
	l.text = append(l.text, '}')
	l.end(c.slot)
}

// appendCall appends the skill's name as a value, then the members that every event of a call has.
func appendCall(dst []byte, c *Call) []byte {
	dst = wire.AppendString(dst, c.skill.info.Name)
	dst = append(dst, `,"version":`...)
	dst = wire.AppendString(dst, c.skill.info.Version)
	dst = append(dst, `,"intent":`...)
	dst = strconv.AppendUint(dst, c.root.intent, 10)
	dst = append(dst, `,"profile":`...)
	return wire.AppendString(dst, c.principal.Profile)
}

func appendInput(dst, input []byte) []byte {
	if len(input) > maxLoggedInput {
		dst = append(dst, `,"inputBytes":`...)
		return strconv.AppendInt(dst, int64(len(input)), 10)
	}
	dst = append(dst, `,"input":`...)
	if bytes.IndexByte(input, '\n') < 0 && bytes.IndexByte(input, '\r') < 0 {
		return append(dst, input...)
	}
	var line bytes.Buffer // an event is one line
	if err := json.Compact(&line, input); err != nil {
		return append(dst, '{', '}')
	}
	return append(dst, line.Bytes()...)
}
