package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Loop is what a closed loop measures: one client asks for a change, waits until the other one sees it, and
// asks for the next.
type Loop struct {
	P50, P95, P99    time.Duration // until the other one sees it
	CallP50, CallP95 time.Duration // until the first one is answered
}

// Closed has one client of Limina move an entity and another one watch it, n times, after n/10 times that
// do not count. o.Clients others watch beside them, a share o.Stalled of whom never reads.
func Closed(ctx context.Context, o Options, n int, command ...string) (Loop, error) {
	others := o.Clients
	r, err := begin(ctx, o, command)
	if err != nil {
		return Loop{}, err
	}
	defer r.end()
	if r.Clients = others; others > 0 {
		if err := r.join(ctx); err != nil {
			return Loop{}, r.server.fail(err)
		}
	}
	l := &loop{run: r, answered: make(chan struct{}, 1), seen: make(chan int, 16), failed: make(chan error, 2)}
	if err := l.open(); err != nil {
		return Loop{}, r.server.fail(err)
	}
	defer l.asks.Close()
	defer l.sees.Close()
	if err := pause(ctx, r.Warm); err != nil {
		return Loop{}, err
	}
	if err := l.turns(ctx, n); err != nil {
		return Loop{}, r.server.fail(err)
	}
	slices.Sort(l.saw)
	slices.Sort(l.called)
	return Loop{
		quantile(l.saw, .5), quantile(l.saw, .95), quantile(l.saw, .99),
		quantile(l.called, .5), quantile(l.called, .95),
	}, nil
}

// loop is the two clients.
type loop struct {
	run         *run
	asks, sees  *socket
	answered    chan struct{}
	seen        chan int
	failed      chan error
	saw, called []time.Duration
}

func (l *loop) open() (err error) {
	if l.asks, err = l.run.initialize(100_001); err != nil {
		return err
	}
	if l.sees, err = l.run.subscribe(100_002, []sphere{{[3]float64{500, 500, 500}, l.run.Radius}}); err != nil {
		return err
	}
	go func() {
		for {
			_, answer, _, err := l.asks.receive()
			if err == nil && !bytes.Contains(answer, []byte(`"success":true`)) {
				err = errors.New(string(answer))
			}
			if err != nil {
				l.failed <- err
				return
			}
			l.answered <- struct{}{}
		}
	}()
	go func() {
		for {
			_, message, _, err := l.sees.receive()
			if err != nil {
				l.failed <- err
				return
			}
			_, rest, _ := bytes.Cut(message, []byte(`{"id":"ent_0","eid":0,"pos":[500,500,`))
			var n int
			if _, err := fmt.Sscanf(string(rest[:min(len(rest), 12)]), "500.%d]", &n); err == nil {
				l.seen <- n
			}
		}
	}()
	return nil
}

// turns goes round n times, at most for four times the counted time.
func (l *loop) turns(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, 4*l.run.Count)
	defer cancel()
	for i := range n + n/10 {
		mark := 1001 + 2*i // odd, so that no zero at its end is left out
		begun := time.Now()
		err := l.asks.send(opText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"three.setTransform","arguments":{"entity":"ent_0","position":[500,500,500.%d]}}}`, i, mark))
		if err != nil {
			return err
		}
		saw, called := time.Duration(0), time.Duration(0)
		for saw == 0 || called == 0 {
			select {
			case n := <-l.seen:
				if n == mark {
					saw = time.Since(begun)
				}
			case <-l.answered:
				called = time.Since(begun)
			case err := <-l.failed:
				return err
			case <-ctx.Done():
				if len(l.saw) > 20 {
					return nil
				}
				return fmt.Errorf("only %d turns: %w", i, ctx.Err())
			}
		}
		if i >= n/10 {
			l.saw, l.called = append(l.saw, saw), append(l.called, called)
		}
	}
	return nil
}
