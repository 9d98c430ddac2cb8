package mcp

import (
	"strings"
	"sync"
)

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

// changes knows which connections want to be told of what, so that nothing is looked up, and nothing
// made, for changes that nobody has asked about. It is safe for concurrent use.
type changes struct {
	mu    sync.RWMutex // guards what follows
	peers map[*conn]bool
	named map[changeName]map[*conn]int // how many of a connection's subscriptions name it
}

// changeName is one thing that has a name.
type changeName struct {
	kind changeKind
	name string
}

// notify tells every peer that wants to hear of it that something has changed. It does not wait for
// any of them; it may be called from any goroutine, one that holds a lock of the world's too.
func (m *Mcp) notify(ch change) {
	for _, c := range m.changes.whom(ch) {
		c.changed(ch)
	}
}

// wanted reports whether anybody wants to hear of a resource.
func (m *Mcp) wanted(uri string) bool {
	m.changes.mu.RLock()
	defer m.changes.mu.RUnlock()
	return len(m.changes.named[changeName{resourceUpdated, uri}]) > 0
}

// wantedResources returns the URIs of the resources that anybody wants to hear of, in no order.
func (m *Mcp) wantedResources() []string {
	m.changes.mu.RLock()
	defer m.changes.mu.RUnlock()
	var uris []string
	for n := range m.changes.named {
		if n.kind == resourceUpdated {
			uris = append(uris, n.name)
		}
	}
	return uris
}

// whom returns the connections that a change is for.
func (s *changes) whom(ch change) (list []*conn) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if ch.kind < resourceUpdated {
		for c := range s.peers {
			list = append(list, c)
		}
		return list
	}
	for c := range s.named[changeName{ch.kind, ch.name}] {
		list = append(list, c)
	}
	return list
}

// join has a connection told of changes, until leave.
func (s *changes) join(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.peers == nil {
		s.peers, s.named = map[*conn]bool{}, map[changeName]map[*conn]int{}
	}
	s.peers[c] = true
}

// add has a connection told of one thing more, which it has to take back as often.
func (s *changes) add(c *conn, n changeName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named[n] == nil {
		s.named[n] = map[*conn]int{}
	}
	s.named[n][c]++
}

// remove takes an add back.
func (s *changes) remove(c *conn, n changeName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named[n][c]--; s.named[n][c] > 0 {
		return
	}
	delete(s.named[n], c)
	if len(s.named[n]) == 0 {
		delete(s.named, n)
	}
}

// leave takes the join back.
func (s *changes) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.peers, c)
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

// changed tells the peer of a change: unasked in the legacy era, on what it listens to in the modern.
func (c *conn) changed(ch change) {
	if ch.kind != toolsListChanged { // of those c.toolsChanged tells
		b := c.bound.Load()
		if b.ready && b.session.live() && (ch.kind < resourceUpdated || c.interest.has(ch)) {
			c.tell(nil, ch.note(nil))
		}
	}
	for _, l := range c.listens.all() {
		if l.wants(ch) {
			c.tell(l.way, ch.note(l.id))
		}
	}
}

// interest are the resources that a legacy peer has subscribed to.
type interest struct {
	mu   sync.Mutex // guards uris
	uris map[string]bool
}

func (i *interest) has(ch change) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return ch.kind == resourceUpdated && i.uris[ch.name]
}

// maxSubscriptions bounds the resources that one connection may have subscribed to.
const maxSubscriptions = 1024

// subscribeResource has a legacy peer told when a resource has changed. It reports false if it has too
// many already.
func (c *conn) subscribeResource(uri string) bool {
	c.interest.mu.Lock()
	defer c.interest.mu.Unlock()
	if c.interest.uris[uri] {
		return true
	}
	if len(c.interest.uris) >= maxSubscriptions {
		return false
	}
	if c.interest.uris == nil {
		c.interest.uris = map[string]bool{}
	}
	uri = strings.Clone(uri)
	c.interest.uris[uri] = true
	c.mcp.changes.join(c)
	c.mcp.changes.add(c, changeName{resourceUpdated, uri})
	return true
}

// unsubscribeResource takes it back. That there was none is no failure.
func (c *conn) unsubscribeResource(uri string) {
	c.interest.mu.Lock()
	defer c.interest.mu.Unlock()
	if c.interest.uris[uri] {
		delete(c.interest.uris, uri)
		c.mcp.changes.remove(c, changeName{resourceUpdated, uri})
	}
}

// unlisten ends everything that the connection wanted to hear of.
func (c *conn) unlisten() {
	c.interest.mu.Lock()
	for uri := range c.interest.uris {
		c.mcp.changes.remove(c, changeName{resourceUpdated, uri})
	}
	c.interest.uris = nil
	c.interest.mu.Unlock()
	for _, l := range c.listens.close() {
		c.retire(l)
		c.reply(l.way, append(c.mcp.modern.appendListened(appendHead(nil, l.id), l.id), '}'))
	}
	c.mcp.changes.leave(c)
}
