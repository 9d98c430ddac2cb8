package server

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/limina-mcp/limina/mcp"
)

// part is what one caller's connections may be of what those of all others leave: half.
const part = 2

// shares are the connections of those who have shown who they are, by whose they are. One caller has at most a part of what others leave, so that
// neither he alone, nor some who fill the port together, keep everybody else out. It counts by token: who has one that is for many
// names has as much as one name. The methods may be called concurrently.
type shares struct {
	limit int // of all connections

	mu  sync.Mutex // guards what follows, and whose an incoming is
	of  map[string]int
	all int
}

// caller is whose a connection is; the zero value is nobody's in particular, which is not counted.
type caller struct {
	name  string
	known bool
}

// take counts a connection as a caller's, if it is nobody's yet; who shows himself on it first has it. It fails if he has as many as he may.
func (s *shares) take(c *incoming, who caller) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !who.known || c.caller.known || c.given {
		return nil
	}
	has := s.of[who.name]
	if has >= max((s.limit-(s.all-has))/part, 1) {
		return &shareError{has}
	}
	if s.of == nil {
		s.of = map[string]int{}
	}
	c.caller = who
	s.of[who.name]++
	s.all++
	return nil
}

// give counts a connection no more, also if somebody shows himself on it yet. It may be called again.
func (s *shares) give(c *incoming) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.given = true
	if !c.caller.known {
		return
	}
	if s.of[c.caller.name]--; s.of[c.caller.name] == 0 {
		delete(s.of, c.caller.name)
	}
	c.caller = caller{}
	s.all--
}

// shareError says that a caller has as many connections as he may.
type shareError struct{ has int }

func (e *shareError) Error() string {
	return fmt.Sprintf("%d connections are open with your token, which is the most for one: half of what those of all others leave. Close some that you do not use, or make your calls on one of them", e.has)
}

// callerOf returns whose the connections are that come with a credential, nil for none. Where no token is needed, and there are some, all who have none are one
// caller; where there are no tokens nobody can be told from another.
func (k *checks) callerOf(c *mcp.Credential) caller {
	if c != nil {
		return caller{c.Owner(), true}
	}
	return caller{known: k.tokens != nil || k.oauth != nil}
}

// crowd is a refusal for whoever has as many connections as he may.
func (s *Server) crowd(err error) *refusal {
	s.shared.Add(1)
	return &refusal{status: http.StatusServiceUnavailable, text: err.Error(), last: true}
}
