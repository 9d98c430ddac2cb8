package load

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Sessions opens n sessions over Streamable HTTP and makes a call in each, all on one connection, as
// clients that have gone to think have done. RSS of the result is what the server's memory has grown by,
// for each session. A hundred sessions before that warm the server up.
func Sessions(ctx context.Context, o Options, n int, command ...string) (Result, error) {
	o.Transport = HTTP
	o = o.withDefaults()
	command, addr, err := atFreeAddress(command)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Limit+15*time.Second)
	defer cancel()
	s, err := start(ctx, o.Env, command)
	if err != nil {
		return Result{}, err
	}
	defer s.stop()
	if err := await(ctx, addr); err != nil {
		return Result{}, err
	}
	p, err := dialPosts(addr, o.Path, "2025-06-18", "")
	if err != nil {
		return Result{}, err
	}
	if err := handshake(p); err != nil {
		return Result{}, err
	}
	if err := prepare(o, &driver{stream: p}); err != nil {
		return Result{}, err
	}
	if err := p.open(o, 100); err != nil {
		return Result{}, err
	}
	before, err := s.rss()
	if err != nil {
		return Result{}, err
	}
	if err := p.open(o, n); err != nil {
		return Result{}, err
	}
	after, err := s.rss()
	return Result{Calls: n, RSS: (after - before) / int64(n)}, err
}

// open opens n sessions and makes a call in each.
func (p *posts) open(o Options, n int) error {
	until := time.Now().Add(o.Limit)
	var message []byte
	for i := range n {
		if time.Now().After(until) {
			return fmt.Errorf("only %d sessions were opened in time", i)
		}
		p.session = ""
		if err := handshake(p); err != nil {
			return err
		}
		if p.session == "" {
			return errors.New("the server has opened no session")
		}
		message = o.Request.Append(message[:0], i)
		if err := p.send(message); err != nil {
			return err
		}
		if _, err := p.receive(); err != nil {
			return err
		}
	}
	return nil
}
