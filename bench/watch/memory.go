package watch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Memory returns how much resident memory of the server one more client takes, of o.Clients that have
// connected and then wait: with a session only, or with a subscription to an area.
func Memory(ctx context.Context, o Options, subscribed bool, command ...string) (bytes float64, err error) {
	r, err := begin(ctx, o, command)
	if err != nil {
		return 0, err
	}
	defer r.end()
	some := r.Clients / 10 // what the first ones take is the server's, not theirs
	if err := r.wait(ctx, 0, some, subscribed); err != nil {
		return 0, r.server.fail(err)
	}
	before := r.server.rss()
	if err := r.wait(ctx, some, some+r.Clients, subscribed); err != nil {
		return 0, r.server.fail(err)
	}
	return float64(r.server.rss()-before) / float64(r.Clients), nil
}

// wait connects the clients from … to-1 and has them wait.
func (r *run) wait(ctx context.Context, from, to int, subscribed bool) error {
	errs := make([]error, to-from)
	conns := make([]*watcher, to-from)
	var joining sync.WaitGroup
	room := make(chan struct{}, 8)
	for i := range conns {
		room <- struct{}{}
		joining.Go(func() {
			defer func() { <-room }()
			var s *socket
			if subscribed {
				s, errs[i] = r.subscribe(from+i, []sphere{{[3]float64{500, 500, 500}, r.Radius}})
			} else {
				s, errs[i] = r.initialize(from + i)
			}
			if errs[i] == nil {
				w := &watcher{socket: s, run: r}
				conns[i] = w
				go w.watch()
			}
		})
	}
	joining.Wait()
	for _, w := range conns {
		if w != nil {
			r.watchers = append(r.watchers, w)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return pause(ctx, 3*time.Second)
}
