package mcp

import (
	"sync"
	"time"
)

// pacer has something done soon after it was asked for, on a timer's goroutine, once at a time and not
// more often than it should be. To ask never waits: who asks may hold what others need.
type pacer struct {
	interval time.Duration // between the beginnings of two
	do       func()

	running sync.Mutex // held while do runs

	mu     sync.Mutex // guards what follows
	timer  *time.Timer
	due    bool // the timer is running
	last   time.Time
	closed bool
}

// wake asks: at once if it was not done for a while.
func (p *pacer) wake() { p.wakeIn(p.interval - time.Since(p.begun())) }

func (p *pacer) begun() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// wakeIn asks for a later time. Who has asked already need not ask again.
func (p *pacer) wakeIn(wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.due || p.closed {
		return
	}
	p.due = true
	wait = max(0, wait)
	if p.timer == nil {
		p.timer = time.AfterFunc(wait, p.run)
		return
	}
	p.timer.Reset(wait)
}

func (p *pacer) run() {
	p.running.Lock()
	defer p.running.Unlock()
	p.mu.Lock()
	p.due, p.last = false, time.Now()
	closed := p.closed
	p.mu.Unlock()
	if !closed {
		p.do()
	}
}

// close ends it. Nothing is done any more once it has returned.
func (p *pacer) close() {
	p.running.Lock() // what is being done is done
	defer p.running.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
