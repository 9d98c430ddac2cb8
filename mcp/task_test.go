package mcp

import (
	"bytes"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/profiles"
)

// What tasks keep is bounded: their number, that of one owner, and the bytes of what came of them. All
// of it is free again when they end.
func TestTasksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s tasks
		stop := func() {}
		var own []*task
		for range maxOwnTasks {
			own = append(own, s.begin("ada as builder", &profiles.Principal{ID: "ada"}, stop))
		}
		if s.begin("ada as builder", &profiles.Principal{ID: "ada"}, stop) != nil {
			t.Errorf("more than %d tasks of one owner", maxOwnTasks)
		}
		if s.begin("ada as reviewer", &profiles.Principal{ID: "ada"}, stop) != nil {
			t.Error("as somebody else he has another share")
		}
		if other := s.begin("bob as builder", &profiles.Principal{ID: "bob"}, stop); other == nil || s.find("ada as builder", other.id) != nil || s.find("bob as builder", other.id) != other {
			t.Error("bob's task is not his")
		}
		large := bytes.Repeat([]byte{'x'}, maxOwnBytes)
		copy(large, `"result":`)
		own[0].end(large, false)
		own[1].end([]byte(`"result":{}`), false)
		if own[0].status != completed || own[1].status != failed {
			t.Errorf("a result that fills the owner's room: %s; the next: %s, want completed and failed", own[0].status, own[1].status)
		}
		var others []*task
		for n := range maxOutcomes / maxOwnBytes {
			others = append(others, s.begin("x", &profiles.Principal{ID: strconv.Itoa(n)}, stop))
			others[n].end(large, false)
		}
		if first, last := others[0], others[len(others)-1]; first.status != completed || last.status != failed {
			t.Errorf("of other owners: %s, and where it is too much for all %s, want completed and failed", first.status, last.status)
		}
		own[0].forget()
		own[2].end([]byte(`"result":{}`), false)
		if own[2].status != completed || s.begin("ada as builder", &profiles.Principal{ID: "ada"}, stop) == nil {
			t.Errorf("after one was forgotten: %s, want room for a result and for a task", own[2].status)
		}
		time.Sleep(taskLife + time.Second)
		synctest.Wait()
		if len(s.byID) != 0 || len(s.own) != 0 || s.bytes != 0 {
			t.Errorf("after an hour: %d tasks, %d owners, %d bytes", len(s.byID), len(s.own), s.bytes)
		}
		own[3].end([]byte(`"result":{}`), false) // it took longer than it was kept
		if s.bytes != 0 {
			t.Errorf("%d bytes of a task that is forgotten", s.bytes)
		}
	})
}

// However many owners there are, there are no more tasks than the limit; and none begins once all is closed.
func TestTasksAreBoundedInAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Mcp
		cancelled := 0
		begin := func(n int) *task {
			return m.tasks.begin("x", &profiles.Principal{ID: strconv.Itoa(n)}, func() { cancelled++ })
		}
		for n := range maxTasks {
			begin(n).end([]byte(`"result":{}`), false)
		}
		if begin(-1) != nil {
			t.Errorf("more than %d tasks", maxTasks)
		}
		m.Close()
		if begin(-1) != nil || cancelled != maxTasks || len(m.tasks.byID) != 0 {
			t.Errorf("after Close %d tasks are cancelled, %d are left, and one more began", cancelled, len(m.tasks.byID))
		}
	})
}

// A state is read by who made it, for what it was made, and as it was made: no bit of it can be changed.
func TestSealsCannotBeBroken(t *testing.T) {
	key := bytes.Repeat([]byte{7}, 32)
	s, err := newSeals(key)
	if err != nil {
		t.Fatal(err)
	}
	same, _ := newSeals(key)
	other, _ := newSeals(nil)
	text := s.seal([]byte("ada"), &roundState{Round: 3, Held: "apr_1"})
	var got roundState
	if !same.open(text, []byte("ada"), &got) || got.Round != 3 || got.Held != "apr_1" {
		t.Errorf("opened by the same key: %+v", got)
	}
	if s.open(text, []byte("bob"), &got) || other.open(text, []byte("ada"), &got) || s.open("", nil, &got) || s.open("é", nil, &got) {
		t.Error("a state was opened that is another's, or none")
	}
	for i := range len(text) {
		for _, c := range []byte{'A', 'b', '_'} {
			if changed := text[:i] + string(c) + text[i+1:]; changed != text && s.open(changed, []byte("ada"), &got) {
				t.Fatalf("opened although character %d was changed", i)
			}
		}
	}
	if _, err := newSeals(key[:16]); err == nil {
		t.Error("a key of 16 bytes was taken")
	}
}
