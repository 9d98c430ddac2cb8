package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// How many tasks there are, and for how long.
const (
	taskLife    = time.Hour
	taskPoll    = time.Second // how often a client may ask
	maxTasks    = 1024
	maxOwnTasks = 64       // of one caller
	maxOutcomes = 64 << 20 // bytes of what came of all of them
	maxOwnBytes = 16 << 20 // … of those of one caller
)

// tasks are the calls that go on without the request that made them, by MCP's extension
// io.modelcontextprotocol/tasks (SEP-2663). A task belongs to whoever made the call; its id is not
// to be guessed. It is kept for an hour from its beginning, whatever becomes of it, and what still
// runs then is cancelled. Tasks do not outlive the process.
type tasks struct {
	mu     sync.Mutex // guards what follows, and all that changes in tasks
	byID   map[string]*task
	own    map[string]holding // what each has by whom shares are counted
	bytes  int                // of what came of them
	closed bool
	runs   sync.WaitGroup // of those that have not ended
}

// holding is what one has of them.
type holding struct{ tasks, bytes int }

// note counts tasks and bytes of one, or takes them off. mu is held.
func (s *tasks) note(of string, tasks, bytes int) {
	h := s.own[of]
	h.tasks, h.bytes = h.tasks+tasks, h.bytes+bytes
	s.bytes += bytes
	if s.own[of] = h; h == (holding{}) {
		delete(s.own, of)
	}
}

// taskStatus is what a task is about to do.
type taskStatus string

const (
	working       taskStatus = "working"
	inputRequired taskStatus = "input_required"
	completed     taskStatus = "completed"
	failed        taskStatus = "failed"
	stopped       taskStatus = "cancelled"
)

// task is one of them.
type task struct {
	all     *tasks
	id      string
	owner   string             // who may ask for it
	by      profiles.Principal // who has made the call; whose share it is of is its Owner
	created time.Time
	cancel  context.CancelFunc
	timer   *time.Timer // its end

	telling sync.Mutex // held from a change until all who listen are told of it, so that they are told in order; locked before tasks.mu

	// Guarded by tasks.mu:
	updated   time.Time
	status    taskStatus
	message   string
	outcome   []byte // once it has ended: `"result":{…}` or `"error":{…}`
	cancelled bool   // the client has asked for it to end
	asked     int    // questions so far
	open      []*taskQuestion
	listeners map[*conn]int
}

// taskQuestion is a question that a task waits for.
type taskQuestion struct {
	askedQuestion
	q    registry.Question
	done chan struct{} // closed when it is answered
}

// begin makes a task of somebody's share. It returns nil if there are too many.
func (s *tasks) begin(owner string, by *profiles.Principal, cancel context.CancelFunc) *task {
	of := by.Owner()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.byID) >= maxTasks || s.own[of].tasks >= maxOwnTasks {
		return nil
	}
	if s.byID == nil {
		s.byID, s.own = map[string]*task{}, map[string]holding{}
	}
	now := time.Now()
	t := &task{all: s, id: "tsk_" + rand.Text(), owner: owner, by: *by, created: now, updated: now, status: working, cancel: cancel}
	s.byID[t.id] = t
	s.note(of, 1, 0)
	s.runs.Add(1)
	t.timer = time.AfterFunc(taskLife, t.forget)
	return t
}

// cancel cancels the calls of those who may not be here any more. What came of others is kept for who asks.
func (s *tasks) cancel(out func(*profiles.Principal) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.byID {
		if out(&t.by) != nil {
			t.cancel()
		}
	}
}

// forget ends a task and all that is known of it.
func (t *task) forget() {
	t.cancel()
	s := t.all
	s.mu.Lock()
	defer s.mu.Unlock()
	t.timer.Stop() // begin sets it with the lock held
	if s.byID[t.id] == t {
		delete(s.byID, t.id)
		s.note(t.by.Owner(), -1, -len(t.outcome))
	}
}

// find returns the task of an id, nil if its owner has none of it.
func (s *tasks) find(owner, id string) *task {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.byID[id]; t != nil && t.owner == owner {
		return t
	}
	return nil
}

// listen has a connection told of a task's changes, or, with -1, once less.
func (s *tasks) listen(id string, c *conn, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.byID[id]
	if t == nil {
		return
	}
	if t.listeners == nil {
		t.listeners = map[*conn]int{}
	}
	if t.listeners[c] += n; t.listeners[c] <= 0 {
		delete(t.listeners, c)
	}
}

// standing returns a task as who listens is told it, nil for one that works, or is none any more: it has nothing to say yet.
func (s *tasks) standing(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.byID[id]
	if t == nil || t.status == working {
		return nil
	}
	return t.append(nil, true)
}

// change changes a task and tells whoever listens, unless edit says that nothing has changed. Changes are told in their order. tasks.mu is
// free meanwhile: who begins to listen holds what telling takes, and needs it.
func (t *task) change(edit func() bool) {
	t.telling.Lock()
	defer t.telling.Unlock()
	t.all.mu.Lock()
	changed := edit()
	var text []byte
	var whom []*conn
	if changed {
		t.updated = time.Now()
		for c := range t.listeners {
			whom = append(whom, c)
		}
		if len(whom) > 0 {
			text = t.append(nil, true)
		}
	}
	t.all.mu.Unlock()
	note := change{kind: taskUpdated, name: t.id, params: text}
	for _, c := range whom {
		c.changed(note)
	}
}

// progress notes how far the call has come.
func (t *task) progress(at registry.Progress) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.message, t.updated = at.Message, time.Now()
	if t.message == "" {
		t.message = strconv.FormatFloat(at.Value, 'g', -1, 64)
		if at.Total > 0 {
			t.message += " of " + strconv.FormatFloat(at.Total, 'g', -1, 64)
		}
	}
}

// Close ends what goes on without anybody being connected: tasks that are running are cancelled, and
// waited for, a few seconds at most. No more are begun.
func (m *Mcp) Close() {
	s := &m.tasks
	s.mu.Lock()
	s.closed = true
	all := slices.Collect(maps.Values(s.byID))
	s.mu.Unlock()
	for _, t := range all {
		t.forget()
	}
	inTime(s.runs.Wait)
}

// end notes what came of the call: the member "result" or "error" of its answer.
func (t *task) end(outcome []byte, failure bool) {
	t.change(func() bool {
		if !t.room(len(outcome)) {
			outcome = (&rpcError{code: codeInternal, message: "the call has ended, but there is no room for what it answered: tasks of one agent keep 16 MiB, each for an hour"}).append(nil)
		}
		t.outcome, t.open = outcome, nil
		switch {
		case failure && t.cancelled:
			t.status, t.outcome = stopped, nil
		case outcome[1] == 'e':
			t.status = failed
		default:
			t.status = completed
		}
		if t.all.byID[t.id] == t {
			t.all.note(t.by.Owner(), 0, len(t.outcome))
		}
		return true
	})
	t.all.runs.Done()
}

// room reports whether there is room for what came of the call. tasks.mu is held.
func (t *task) room(bytes int) bool {
	s := t.all
	return s.bytes+bytes <= maxOutcomes && s.own[t.by.Owner()].bytes+bytes <= maxOwnBytes && s.byID[t.id] == t
}

// stop cancels the call. What has ended stays as it is.
func (t *task) stop() {
	t.all.mu.Lock()
	t.cancelled = true
	t.all.mu.Unlock()
	t.cancel()
}

// ask has the task wait for the answers to questions.
func (t *task) ask(ctx context.Context, questions []registry.Question) error {
	list := make([]*taskQuestion, len(questions))
	for i, q := range questions {
		params, err := q.Params()
		if err != nil {
			return err
		}
		list[i] = &taskQuestion{askedQuestion{q.Name(), q.Method(), compact(params)}, q, make(chan struct{})}
	}
	t.change(func() bool {
		again := t.asked > 0
		for _, q := range list {
			// Each key is used once: an answer that comes late answers nothing else.
			t.asked++
			if n := strconv.Itoa(t.asked); q.key == "" {
				q.key = "q" + n
			} else if again {
				q.key += "-" + n
			}
		}
		t.open = append(t.open, list...)
		t.status = inputRequired
		return true
	})
	for _, q := range list {
		select {
		case <-q.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// answer takes answers to what the task waits for. Those to nothing of it are ignored.
func (t *task) answer(responses []byte) (e *rpcError) {
	t.change(func() bool {
		before := len(t.open)
		var still []*taskQuestion
		for _, q := range t.open {
			said := member(responses, q.key)
			if said == nil || e != nil {
				still = append(still, q)
				continue
			}
			if err := q.q.Answer(append(json.RawMessage(nil), said...)); err != nil {
				e = invalidParams("inputResponses." + q.key + ": " + err.Error())
				still = append(still, q)
				continue
			}
			close(q.done)
		}
		t.open = still
		if len(still) == 0 && t.status == inputRequired {
			t.status = working
		}
		return len(still) < before
	})
	return e
}

// append appends a task as members of an object; whole, with what it waits for and what came of it.
// tasks.mu is held.
func (t *task) append(dst []byte, whole bool) []byte {
	dst = wire.AppendString(append(dst, `"taskId":`...), t.id)
	dst = appendField(dst, "status", string(t.status))
	if t.message != "" {
		dst = appendField(dst, "statusMessage", t.message)
	}
	const iso = "2006-01-02T15:04:05.000Z"
	dst = appendField(dst, "createdAt", t.created.UTC().Format(iso))
	dst = appendField(dst, "lastUpdatedAt", t.updated.UTC().Format(iso))
	dst = strconv.AppendInt(append(dst, `,"ttlMs":`...), taskLife.Milliseconds(), 10)
	dst = strconv.AppendInt(append(dst, `,"pollIntervalMs":`...), taskPoll.Milliseconds(), 10)
	if !whole {
		return dst
	}
	if t.status == inputRequired {
		dst = append(dst, `,"inputRequests":{`...)
		for i, q := range t.open {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = q.append(dst)
		}
		dst = append(dst, '}')
	}
	if t.outcome != nil {
		dst = append(append(dst, ','), t.outcome...)
	}
	return dst
}
