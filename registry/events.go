package registry

import (
	"bytes"
	"encoding/json"

	"github.com/limina-mcp/limina/internal/decimal"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/trace"
)

// The types of the pipeline's own events. Everything a caller can name an event has a prefix of
// its own, so that it never looks like one of these.
const (
	EventExecuted = "skill.executed" // {skill, version, intent, profile, input}
	EventRefused  = "skill.refused"  // {skill, version, intent, profile, code, reason, required?}
	EventFailed   = "skill.failed"   // {skill, version, intent, profile, code, reason, input}
	EventDryRun   = "skill.dryRun"   // {skill, version, intent, profile, input}
	EventHeld     = "approval.held"  // {skill, version, intent, profile, approvalId, input}
)

// reservedPrefix begins the types that only the pipeline gives.
const reservedPrefix = "skill."

// maxLoggedInput bounds what an event says of an input, a longer one is named by its length, and
// the payload of an event that a handler emits.
const maxLoggedInput = 64 << 10

// draftList collects the events of one call until it commits. Payloads lie in one buffer.
type draftList struct {
	drafts   []trace.Draft
	notes    []draftNote // one for each draft
	text     []byte
	promised bool // some note may have a promise
}

// draftNote is what the list knows of a draft beside the draft.
type draftNote struct {
	from, to int      // where its payload is in text
	hold     *hold    // of an approval.held: told the event's id
	promise  trace.ID // stands for the event's id until there is one, see Call.EmitNamed; 0 if nobody has it
}

// holdBy has the draft tell h and not the hold that it was to tell before, which is not recorded then.
func (n *draftNote) holdBy(h *hold) {
	if n.hold != nil {
		n.hold.settle(0)
	}
	n.hold = h
}

func (l *draftList) reset() {
	clear(l.drafts)
	clear(l.notes)
	l.drafts, l.notes, l.text, l.promised = l.drafts[:0], l.notes[:0], l.text[:0], false
	if cap(l.text) > 1<<20 {
		l.text = nil
	}
}

// begin starts a draft; the payload is appended to text, then end is called.
func (l *draftList) begin(c *Call, typ string, parent int) int {
	at := len(l.drafts)
	l.drafts = append(l.drafts, trace.Draft{})
	d := &l.drafts[at]
	d.Type, d.Actor, d.Session, d.Time, d.Parent = typ, c.principal.ID, c.principal.Session, c.root.start, parent
	l.notes = append(l.notes, draftNote{from: len(l.text)})
	return at
}

func (l *draftList) end(at int) { l.notes[at].to = len(l.text) }

func (l *draftList) add(c *Call, typ string, parent int, payload []byte) {
	at := l.begin(c, typ, parent)
	l.text = append(l.text, payload...)
	l.end(at)
}

// beginAgain starts the draft of a call anew, at its place, because the call has failed. Of the
// drafts behind it, which belong to what it did, only those stay that say what was refused: the
// others tell of changes that are undone.
func (l *draftList) beginAgain(at int, c *Call, typ string) {
	if at == len(l.drafts) {
		l.begin(c, typ, c.up)
		return
	}
	l.dropDone(at)
	if at == len(l.drafts)-1 {
		l.text = l.text[:l.notes[at].from]
	}
	l.drafts[at].Type = typ
	again := draftNote{from: len(l.text), hold: l.notes[at].hold} // of a call that has asked for review itself
	if typ != EventHeld {
		again.holdBy(nil)
	}
	l.notes[at] = again
}

// dropDone drops the drafts behind at that are no refusals; those that stay become parts of the
// nearest call around them that stays.
func (l *draftList) dropDone(at int) {
	if at == len(l.drafts)-1 {
		return
	}
	kept := at + 1
	place := []int{kept} // of each draft from at on, counted from one; of a dropped one that of its parent
	for i := at + 1; i < len(l.drafts); i++ {
		d, note := l.drafts[i], l.notes[i]
		if d.Parent > at {
			d.Parent = place[d.Parent-1-at]
		}
		switch d.Type {
		case EventRefused, EventFailed, EventHeld:
			l.drafts[kept], l.notes[kept] = d, note
			kept++
			place = append(place, kept)
		default:
			place = append(place, d.Parent)
		}
	}
	l.drafts, l.notes = l.drafts[:kept], l.notes[:kept]
}

// ready returns the drafts with their payloads and the tick of their commit.
func (l *draftList) ready(tick uint64) []trace.Draft {
	for i := range l.drafts {
		n := &l.notes[i]
		l.drafts[i].Payload = l.text[n.from:n.to:n.to]
		l.drafts[i].Tick = tick
	}
	return l.drafts
}

// settle tells the holds which events are theirs; there are no ids if the log refused them.
func (l *draftList) settle(ids []trace.ID) {
	for i := range l.notes {
		if h := l.notes[i].hold; h != nil && len(ids) > i {
			h.settle(ids[i])
		} else if h != nil {
			h.settle(0)
		}
	}
}

// tried drafts the event of a dry run, in place of all that was drafted in it.
func (c *Call) tried(input []byte) {
	l := &c.root.log
	l.drafts, l.notes = l.drafts[:c.slot], l.notes[:c.slot]
	l.begin(c, EventDryRun, c.up)
	l.text = appendCall(l.text, c)
	l.text = appendInput(l.text, input)
	l.text = append(l.text, '}')
	l.end(c.slot)
}

// executed drafts the event of a call whose handler is about to run.
func (c *Call) executed(input []byte) {
	l := &c.root.log
	l.begin(c, EventExecuted, c.up)
	l.text = appendCall(l.text, c)
	l.text = appendInput(l.text, input)
	l.text = append(l.text, '}')
	l.end(c.slot)
}

// maxReason is how many bytes of a reason an event keeps, so that there is one, whatever there is to say.
const maxReason = 64 << 10

// failed replaces whatever the call has drafted by the event of its failure.
func (c *Call) failed(typ string, e *Error, input []byte) {
	l := &c.root.log
	l.beginAgain(c.slot, c, typ)
	l.text = appendCall(l.text, c)
	if typ == EventHeld {
		l.text = append(l.text, `,"approvalId":`...)
		l.text = wire.AppendString(l.text, e.Message)
	} else {
		l.text = append(l.text, `,"code":`...)
		l.text = wire.AppendString(l.text, string(e.Code))
		l.text = append(l.text, `,"reason":`...)
		l.text = wire.AppendString(l.text, e.Message[:min(len(e.Message), maxReason)])
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

// appendCall appends the members that every event of a call has.
func appendCall(dst []byte, c *Call) []byte {
	dst = append(dst, c.skill.head...)
	dst = decimal.Append(dst, c.root.intent)
	dst = append(dst, `,"profile":`...)
	return wire.AppendString(dst, c.principal.Profile)
}

func appendInput(dst, input []byte) []byte {
	if len(input) > maxLoggedInput {
		dst = append(dst, `,"inputBytes":`...)
		return decimal.AppendInt(dst, int64(len(input)))
	}
	return appendLine(append(dst, `,"input":`...), input)
}

// appendLine appends JSON that is known to be valid, without the line breaks that it may have
// between its tokens: an event is one line, and so is a message.
func appendLine(dst, text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return append(dst, text...)
	}
	line := bytes.NewBuffer(dst)
	if err := json.Compact(line, text); err != nil {
		panic("registry: not JSON after all: " + err.Error())
	}
	return line.Bytes()
}
