package trace

import "slices"

// Follower takes a log's lines to where they last, such as a disk. Until it has said that events are safe there the log holds them, beyond its own
// bounds too, but no more bytes of them than it was told to hold for that. What is more is lost to the follower, the
// oldest first, and it is told so. Appends never wait for it.
//
// One goroutine at a time calls Lines, Safe, Back and Stop.
type Follower struct {
	log   *Log
	woken chan struct{}
	many  chan struct{}

	// Guarded by the log's mu:
	room    int   // bytes that the log holds for it beyond its own
	next    ID    // the event that comes next
	safe    ID    // the newest event that need not be held any more
	lost    int64 // events that it has not got
	waiting int   // bytes of bodies that were appended since it looked
}

// manyBytes is how many bytes of bodies wait when [Follower.Many] tells.
const manyBytes = 1 << 20

// Follow has a follower get all events after one. A log has one at a time, or Follow panics. room is how many bytes it holds for it beyond its own.
func (l *Log) Follow(after ID, room int) *Follower {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.follower != nil {
		panic("trace: the log is followed already")
	}
	f := &Follower{log: l, woken: make(chan struct{}, 1), many: make(chan struct{}, 1), room: room, next: after + 1, safe: after}
	if f.next < l.index.next {
		f.noteLocked(l.sizeLocked())
	}
	l.follower = f
	return f
}

// Woken returns a channel that gets a value when there are events that Lines has not looked for.
func (f *Follower) Woken() <-chan struct{} { return f.woken }

// Many returns a channel that gets a value when these are some thousands.
func (f *Follower) Many() <-chan struct{} { return f.many }

// noteLocked notes that events of so many bytes were appended.
func (f *Follower) noteLocked(size int) {
	before := f.waiting
	f.waiting += size
	if before == 0 {
		wake(f.woken)
	}
	if before < manyBytes && f.waiting >= manyBytes {
		wake(f.many)
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Lines calls take with the lines of all events that come next, each piece whole lines of about size bytes, more only if
// it is a single one. lines is take's only while it runs. What take returns nil for is not given again, unless by [Follower.Back]; one of Safe and
// Back comes before the next Lines. Lines ends with take's first error. gap is of the events before the first of these that are lost, if there are any.
func (f *Follower) Lines(size int, take func(lines []byte, first, last ID) error) (gap *Span, err error) {
	v := f.log.open(f.position() - 1)
	defer v.close()
	if v.first > f.next {
		gap = &Span{f.next, v.first - 1}
		f.missed(v.first)
	}
	var lines []byte
	first, last := v.first, v.first-1
	for v.next() {
		if len(lines) > 0 && len(lines)+len(v.body)+tailLen > size {
			if err := f.give(lines, first, last, take); err != nil {
				return gap, err
			}
			lines, first = lines[:0], last+1
		}
		lines = appendTail(append(slices.Grow(lines, len(v.body)+tailLen), v.body...), &v.at)
		last++
	}
	if len(lines) == 0 {
		return gap, nil
	}
	return gap, f.give(lines, first, last, take)
}

func (f *Follower) give(lines []byte, first, last ID, take func(lines []byte, first, last ID) error) error {
	if err := take(lines, first, last); err != nil {
		return err
	}
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.next = last + 1
	return nil
}

// position returns which event comes next. From now on what is appended wakes.
func (f *Follower) position() ID {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.waiting = 0
	return f.next
}

// missed notes that the events before first are lost, once and for all.
func (f *Follower) missed(first ID) {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.lost += int64(first - f.next)
	f.next, f.safe = first, first-1
}

// Safe says that what Lines has given need not be held any more.
func (f *Follower) Safe() {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.safe = f.next - 1
}

// Back has Lines begin again with the oldest event that is not safe, and returns that.
func (f *Follower) Back() ID {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.next = f.safe + 1
	return f.next
}

// Waits returns how many events are not safe yet, and how many have been lost. It may be called by anybody.
func (f *Follower) Waits() (events, lost int64) {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	x := &f.log.index
	return int64(x.next - max(f.safe+1, x.first)), f.lost + int64(max(x.first, f.next)-f.next)
}

// Stop ends the follower.
func (f *Follower) Stop() {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.log.follower = nil
}
