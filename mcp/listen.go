package mcp

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
)

// maxNamed is how many resources, or tasks, a listen may name. It follows no more than registry.MaxFollowed.
const maxNamed = 4096

// listen is one subscriptions/listen of a modern peer: a request that stays open, on which the peer is
// told what it has named, and nothing else.
type listen struct {
	id    []byte // of the request, as it was sent: the tag of every message
	key   string // … and what it is told apart by, see keyOf
	by    *profiles.Principal
	way   Exchange // of the request
	lists [resourceUpdated]bool
	named map[changeName]bool // no more resources than may be followed, nor tasks than one may have

	free func() // says that nothing of its message is kept any more

	resources *updates     // of those that it names; nil if none
	state     *stateListen // of the world; nil if it is told nothing of that
	first     []byte       // of state: its first message
}

// wants reports whether a change is among what the peer has named.
func (l *listen) wants(ch change) bool {
	if ch.kind < resourceUpdated {
		return l.lists[ch.kind]
	}
	return l.named[changeName{ch.kind, ch.name}]
}

// listens are those of one connection.
type listens struct {
	mu     sync.Mutex // guards what follows
	open   []*listen
	closed bool
}

func (s *listens) all() []*listen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open // appended to and replaced, never changed
}

// each runs fn, which must not wait, for those that are open: none of them ends meanwhile.
func (s *listens) each(fn func(l *listen)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		fn(l)
	}
}

func (s *listens) find(key string) *listen {
	for _, l := range s.all() {
		if l.key == key {
			return l
		}
	}
	return nil
}

// add opens l. before is run where nothing can be told on it yet.
func (s *listens) add(l *listen, before func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	before()
	s.open = append(s.open[:len(s.open):len(s.open)], l)
	return true
}

// drop closes the one of an id and returns it, nil if there is none.
func (s *listens) drop(key string) *listen {
	return s.take(func(l *listen) bool { return l.key == key })
}

// take closes one of which is is true and returns it, nil if there is none.
func (s *listens) take(is func(l *listen) bool) *listen {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.open, is)
	if at < 0 {
		return nil
	}
	l := s.open[at]
	s.open = slices.Delete(slices.Clone(s.open), at, at+1)
	return l
}

// close closes all and returns them; no more are opened.
func (s *listens) close() []*listen {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.open
	s.open, s.closed = nil, true
	return open
}

// listenTo is subscriptions/listen. It is acknowledged at once and answered when it ends by our doing;
// when the peer cancels it, it is not answered. In an array it is refused: the answers of the others would wait for its end.
func listenTo(c *conn, m *message) ([]byte, *rpcError) {
	if m.kind == notification {
		return nil, nil
	}
	if _, batched := m.way.(*batch); batched {
		return nil, invalidRequest("subscriptions/listen stays open, and an array is answered when all of its requests are: send it by itself")
	}
	filter := member(m.Params, "notifications")
	if len(filter) == 0 || filter[0] != '{' {
		return nil, invalidParams("notifications: required, an object that names what to be told of, as {\"toolsListChanged\":true}")
	}
	key := keyOf(m.ID)
	if c.listens.find(key) != nil || c.running.has(key) {
		return nil, invalidRequest("a request with this id is running")
	}
	if len(c.listens.all()) >= c.mcp.opts.MaxRunning {
		return nil, wireError(registry.Errorf(registry.CodeCapacityExceeded,
			"%d subscriptions are open on this connection, which is its limit: cancel one", c.mcp.opts.MaxRunning))
	}
	if !c.calls.spend() {
		return nil, wireError(c.calls.tooOften())
	}
	owner, size := m.as.session.principal.Owner(), len(m.text) // of which all may be kept
	if !c.mcp.keeping.take(owner, size) {
		return nil, wireError(registry.Errorf(registry.CodeCapacityExceeded,
			"your subscriptions and slow calls, over all your connections, leave no room for one of %d bytes: cancel one, or name less", size))
	}
	l := &listen{id: bytes.Clone(m.ID), key: key, by: &m.as.session.principal, way: m.way, named: map[changeName]bool{}, free: func() { c.mcp.keeping.give(owner, size) }}
	honoured, e := c.honour(l, m.as, filter)
	if e != nil {
		l.end()
		return nil, e
	}
	ack := []byte(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"` + subscriptionKey + `":`)
	ack = append(append(append(ack, l.id...), `},"notifications":`...), honoured...)
	ack = append(ack, "}}"...)
	m.later = true
	c.hear(l, 1)
	if !c.listens.add(l, func() { c.begin(l, ack) }) { // the connection ends
		c.hear(l, -1)
		l.end()
		c.reply(l.way, nil)
	}
	if c.mcp.gone(l.by) != nil { // since the message was read
		c.hush()
	}
	return nil, nil
}

// hush ends the subscriptions of those who are gone, and has them answered with why. It may run on any goroutine, and does not wait.
func (c *conn) hush() {
	for _, l := range c.listens.all() {
		why := c.mcp.gone(l.by)
		if why == nil {
			continue
		}
		c.running.join() // before it is nobody else's to answer
		if c.listens.take(func(other *listen) bool { return other == l }) == nil {
			c.running.end()
			continue
		}
		go func() {
			defer c.running.end()
			c.hear(l, -1)
			l.end()
			c.reply(l.way, append(wireError(why).in(&binding{stateless: true}).append(appendHead(nil, l.id)), '}'))
		}()
	}
}

// follow has l told when a resource changes; false if that cannot be.
func (l *listen) follow(c *conn, uri string) bool {
	if l.resources == nil {
		l.resources = c.newUpdates(l.by.Owner(), func(uri string) bool {
			return c.ctx.Err() == nil && c.listens.find(l.key) == l && c.tell(l.way, change{kind: resourceUpdated, name: uri}.note(l.id))
		})
	}
	return l.resources.add(uri) == nil
}

// end stops what l is told of.
func (l *listen) end() {
	if l.resources != nil {
		l.resources.end()
	}
	if l.state != nil {
		l.state.end()
	}
	l.free()
}

// begin tells the peer what comes before everything else on l: of the tasks, those that wait for him, or have ended, before he could listen.
func (c *conn) begin(l *listen, ack []byte) {
	c.tell(l.way, ack)
	for name := range l.named {
		if name.kind != taskUpdated {
			continue
		}
		if text := c.mcp.tasks.standing(name.name); text != nil {
			c.tell(l.way, change{kind: taskUpdated, name: name.name, params: text}.note(l.id))
		}
	}
	if l.state == nil {
		return
	}
	l.state.begin(l.first, func(text []byte) bool { return c.tell(l.way, text) })
	l.first = nil
}

// honour notes in l what of a filter is served, and returns that part of the filter. What is not known
// is left out.
func (c *conn) honour(l *listen, b *binding, filter []byte) (honoured []byte, e *rpcError) {
	honoured = []byte{'{'}
	list := func(key string, kind changeKind, value []byte) {
		switch string(value) {
		case "true":
		case "false":
			return
		default:
			e = invalidParams("notifications." + key + ": must be true or false")
			return
		}
		l.lists[kind] = true
		honoured = append(appendKey(honoured, key), "true"...)
	}
	names := func(key string, kind changeKind, value []byte, may func(string) bool) {
		if value[0] != '[' {
			e = invalidParams("notifications." + key + ": must be an array of strings")
			return
		}
		all := elements(value, maxNamed)
		if len(all) > maxNamed {
			e = invalidParams("notifications." + key + ": at most " + strconv.Itoa(maxNamed) + " names")
			return
		}
		out := []byte{'['}
		for _, element := range all {
			name, ok := stringValue(element)
			switch {
			case !ok:
				e = invalidParams("notifications." + key + ": must be an array of strings")
			case !l.named[changeName{kind, name}] && may(name):
				l.named[changeName{kind, name}] = true
				if len(out) > 1 {
					out = append(out, ',')
				}
				out = wire.AppendString(out, name)
			}
		}
		if len(out) > 1 {
			honoured = append(append(appendKey(honoured, key), out...), ']')
		}
	}
	eachMember(filter, func(key string, value []byte) bool {
		switch key {
		case "toolsListChanged":
			list(key, toolsListChanged, value)
		case "promptsListChanged":
			list(key, promptsListChanged, value)
		case "resourcesListChanged":
			list(key, resourcesListChanged, value)
		case stateExtension:
			if c.mcp.opts.State == nil || !b.session.principal.Grants.Has(scenePermission) || l.state != nil {
				break
			}
			var o statesync.Options
			if o, e = stateFilter(value); e != nil {
				break
			}
			if l.first, e = c.listenState(l, o); e == nil {
				honoured = append(appendKey(honoured, stateExtension), value...)
			}
		case "resourceSubscriptions":
			names(key, resourceUpdated, value, func(uri string) bool { return c.mcp.subscribable(b, uri) && l.follow(c, uri) })
		case "taskIds":
			if b.capable&canTasks != 0 {
				names(key, taskUpdated, value, func(id string) bool { return c.mcp.tasks.find(taskOwner(b), id) != nil })
			}
		}
		return e == nil
	})
	return append(honoured, '}'), e
}

// appendKey appends a member's key to an object that is being written.
func appendKey(dst []byte, key string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), key...), `":`...)
}

// hear has the connection told of what l names, or, with -1, not any more.
func (c *conn) hear(l *listen, n int) {
	for name := range l.named {
		if name.kind == taskUpdated {
			c.mcp.tasks.listen(name.name, c, n)
		}
	}
}

// unlisten ends all subscriptions, by our doing.
func (c *conn) unlisten() {
	for _, l := range c.listens.close() {
		c.hear(l, -1)
		l.end()
		c.reply(l.way, append(c.mcp.modern.appendListened(appendHead(nil, l.id), l.id), '}'))
	}
}

// appendListened appends the result of a subscription that ends by our doing.
func (d *modern) appendListened(dst, id []byte) []byte {
	dst = append(dst, `"result":{"resultType":"complete","_meta":{"`+subscriptionKey+`":`...)
	dst = append(append(dst, id...), ',')
	return append(append(dst, d.meta[len(`"_meta":{`):]...), '}')
}

// subscribable reports whether there is a resource, and whether who is bound so may know of it.
func (m *Mcp) subscribable(b *binding, uri string) bool {
	r, ok := m.reg.Resources().Lookup(uri)
	return ok && r.Allowed(b.session.principal.Grants)
}
