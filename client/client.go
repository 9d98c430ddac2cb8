package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/limina-mcp/limina/statesync/replica"
)

// Client is a session with a server, over as many connections as it takes, one at a time. Its methods may be
// called concurrently.
type Client struct {
	o     Options
	at    *url.URL
	slots chan struct{} // one is taken by each call that is under way

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	done   chan struct{} // closed when the client has ended
	told   chan state    // what OnState is told next, at most one; nil if nobody is

	// viewsMu guards what is subscribed to, and the content of all views. It is taken before mu.
	viewsMu sync.RWMutex
	copy    *replica.Copy
	views   map[string]*View
	leaving map[string]int // state/unsubscribe that the server has not answered, by name

	mu      sync.Mutex    // guards what follows
	link    *link         // nil while there is no connection
	up      chan struct{} // closed when there is one, or the client has ended
	why     error         // why there is none
	ended   bool
	session Session

	tokens   uint64               // the newest one of a call whose progress is told
	followed map[uint64]*progress // those under way, by token
}

// Dial connects to a server and opens a session. ctx bounds this, and nothing that comes later: the
// client lasts until Close, or until it has tried in vain to connect again for Backoff.GiveUp, or is told that its token
// is not accepted any more ([ErrToken]).
//
// If the server refuses the session, the error is an [*Error].
func Dial(ctx context.Context, o Options) (*Client, error) {
	o, at, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Client{
		o: o, at: at,
		slots: make(chan struct{}, o.MaxCalls),
		done:  make(chan struct{}),
		copy:  &replica.Copy{}, views: map[string]*View{}, leaving: map[string]int{},
		up: make(chan struct{}), followed: map[uint64]*progress{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	l, err := c.connect(ctx)
	if err != nil {
		c.cancel()
		return nil, err
	}
	c.publish(l)
	if o.OnState != nil {
		c.told = make(chan state, 1)
	}
	go c.run(l)
	return c, nil
}

// Session returns who the server says the client is.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Err returns nil while there is a connection, else why there is none: in the server's words, if it has said why.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// Done returns a channel that is closed when the client has ended for good: by Close, or because it
// has given up.
func (c *Client) Done() <-chan struct{} { return c.done }

// Close takes leave of the server and ends the client: what is under way fails, views get nothing
// more but can still be read. It returns when all goroutines of the client have ended, after about a
// second at most. It may be called more than once.
func (c *Client) Close() {
	c.cancel()
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l != nil {
		l.end(ErrClosed, closeFrame(1000, ""))
	}
	<-c.done
}

// run serves one connection after the other.
func (c *Client) run(l *link) {
	defer close(c.done)
	defer c.telling()()
	var (
		err   error
		pause = pauses{Backoff: c.o.Backoff}
	)
	for l != nil {
		begun := time.Now()
		err = l.serve()
		c.down(l, err)
		l.abandon()
		if time.Since(begun) >= c.o.Backoff.Max {
			pause.reset()
		}
		if c.ctx.Err() == nil {
			c.tell(err)
			l, err = c.again(&pause, err)
			continue
		}
		l = nil
	}
	if c.ctx.Err() != nil {
		err = ErrClosed
	}
	c.finish(err)
}

// state is how the connection is.
type state struct{ why error } // there is none, nil if there is one

// telling has a goroutine call OnState with what it is told, until what it returns is called. That waits for the goroutine.
func (c *Client) telling() (stop func()) {
	if c.told == nil {
		return func() {}
	}
	var g sync.WaitGroup
	g.Go(func() {
		for s := range c.told {
			c.o.OnState(s.why)
		}
	})
	return func() {
		close(c.told)
		g.Wait()
	}
}

// tell has OnState told how the connection is, in place of what it was not told yet. Only run tells.
func (c *Client) tell(err error) {
	if c.told == nil {
		return
	}
	select {
	case <-c.told:
	default:
	}
	c.told <- state{err}
}

// again connects again. It returns nil and the last failure if it gives up, the token is refused, or the client is closed.
func (c *Client) again(p *pauses, err error) (*link, error) {
	for {
		d, more := p.next()
		if !more {
			return nil, fmt.Errorf("given up after %v without a connection: %w", c.o.Backoff.GiveUp, err)
		}
		timer := time.NewTimer(d)
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return nil, ErrClosed
		}
		l, failed := c.connect(c.ctx)
		if failed == nil && c.publish(l) {
			c.tell(nil)
			return l, nil
		}
		if c.ctx.Err() != nil {
			return nil, ErrClosed
		}
		err = failed
		c.fault(err)
		c.tell(err)
		if errors.Is(err, ErrToken) {
			return nil, err
		}
	}
}

// publish makes a link the one that is used, after it was asked for everything that is subscribed to.
// It reports false if the client is closed.
func (c *Client) publish(l *link) bool {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	for _, v := range c.sorted() {
		v.ask(l)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		l.hangUp(true) // a session in which nothing was done
		return false
	}
	c.link, c.why, c.session = l, nil, l.session
	close(c.up)
	return true
}

// sorted returns the views by name. The caller holds viewsMu.
func (c *Client) sorted() []*View {
	names := make([]string, 0, len(c.views))
	for name := range c.views {
		names = append(names, name)
	}
	slices.Sort(names)
	views := make([]*View, len(names))
	for i, name := range names {
		views[i] = c.views[name]
	}
	return views
}

// down takes a link away that has ended.
func (c *Client) down(l *link, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link, c.why, c.up = nil, err, make(chan struct{})
	close(l.gone)
}

// fault notes why there is still no connection.
func (c *Client) fault(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.why = err
}

// finish ends everything that is left.
func (c *Client) finish(err error) {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	for name, v := range c.views {
		delete(c.views, name)
		v.end(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.why, c.ended = err, true
	close(c.up)
}

// current returns the link, nil if there is none.
func (c *Client) current() (*link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, c.why
	}
	return c.link, nil
}

// acquire returns the link, and waits for one if there is none: until unwanted is closed, then it returns nil.
func (c *Client) acquire(ctx context.Context, unwanted <-chan struct{}) (*link, error) {
	for {
		c.mu.Lock()
		l, up, why, ended := c.link, c.up, c.why, c.ended
		c.mu.Unlock()
		switch {
		case ended:
			return nil, why
		case l != nil:
			return l, nil
		}
		select {
		case <-up:
		case <-unwanted:
			return nil, nil
		case <-ctx.Done():
			return nil, fmt.Errorf("%w, not connected: %w", ctx.Err(), why)
		}
	}
}
