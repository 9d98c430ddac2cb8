package mcp

// changeKind says what sort of thing has changed.
type changeKind uint8

const (
	toolsListChanged changeKind = iota
	promptsListChanged
	resourcesListChanged
	resourceUpdated // the resource of the change's name, which is its URI
	taskUpdated     // the task of the change's name, which is its id
)

// change is something that peers may want to be told of.
type change struct {
	kind   changeKind
	name   string
	params []byte // of a task: the members of the notification's params
}

// changeName is one thing that has a name.
type changeName struct {
	kind changeKind
	name string
}

// note returns the notification of a change, tagged with the subscription that it is for, if any.
func (ch change) note(subscription []byte) []byte {
	text := []byte(`{"jsonrpc":"2.0","method":"`)
	switch ch.kind {
	case toolsListChanged:
		text = append(text, "notifications/tools/list_changed"...)
	case promptsListChanged:
		text = append(text, "notifications/prompts/list_changed"...)
	case resourcesListChanged:
		text = append(text, "notifications/resources/list_changed"...)
	case resourceUpdated:
		text = append(text, "notifications/resources/updated"...)
	default:
		text = append(text, "notifications/tasks"...)
	}
	text = append(text, '"')
	if subscription == nil && ch.kind < resourceUpdated {
		return append(text, '}')
	}
	text = append(text, `,"params":{`...)
	if subscription != nil {
		text = append(append(append(text, `"_meta":{"`+subscriptionKey+`":`...), subscription...), '}')
	}
	switch ch.kind {
	case resourceUpdated:
		text = appendField(text, "uri", ch.name)
	case taskUpdated:
		text = append(append(text, ','), ch.params...)
	}
	return append(text, "}}"...)
}

// changed tells the peer of a change: on what it listens to in the modern era, unasked in the legacy
// one, unless it is of something that has a name (those are followed by name). It does not wait, and
// is called from any goroutine.
func (c *conn) changed(ch change) {
	if b := c.bound.Load(); ch.kind != toolsListChanged && ch.kind < resourceUpdated && b.ready && b.session.live() {
		c.tell(nil, ch.note(nil)) // of tools it is told by toolsChanged
	}
	c.listens.each(func(l *listen) {
		if l.wants(ch) {
			c.tell(l.way, ch.note(l.id))
		}
	})
}
