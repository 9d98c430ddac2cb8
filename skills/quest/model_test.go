package quest_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// task is a quest as the test sees it: its status, and how often its event has counted.
type task struct {
	event    string
	required int
	status   string
	done     int
	offered  int // its place in the log
}

// TestAgainstEveryQuest emits events and decides about quests at random, undoes it now and then, and compares the log with what a look at every quest for
// every event would say.
func TestAgainstEveryQuest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		tasks, order := make([]*task, 5), 0
		for i := range tasks {
			k := &task{event: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "event"), required: rapid.IntRange(1, 3).Draw(rt, "required")}
			r.Do("quest.define", `{"id":"q%d","name":"N","objectives":[{"id":"o","type":"custom","description":"d","required":%d,"config":{"event":%q}}]}`, i, k.required, k.event)
			tasks[i] = k
		}
		for range rapid.IntRange(1, 40).Draw(rt, "turns") {
			i := rapid.IntRange(0, len(tasks)-1).Draw(rt, "quest")
			k, before := tasks[i], r.Content()
			switch turn := rapid.SampledFrom([]string{"offer", "accept", "decline", "fail", "emit", "emit", "step"}).Draw(rt, "turn"); turn {
			case "emit":
				r.Do("event.emit", `{"eventName":%q}`, k.event)
				for _, other := range tasks {
					if other.event == k.event && other.status == "active" && other.done < other.required {
						other.done++
					}
				}
				r.Steps(1)
				for _, other := range tasks {
					if other.status == "active" && other.done == other.required {
						other.status = "completed"
					}
				}
			case "step":
				r.Steps(1)
			default:
				k.decide(turn, &order)
				r.Do("quest."+turn, `{"entity":"ent_0","questId":"q%d"}`, i)
				if after := r.Content(); after != before && rapid.Bool().Draw(rt, "undo and redo") {
					r.Do("world.undo", `{}`)
					if r.Content() != before {
						rt.Fatalf("an undo of %s leaves another world", turn)
					}
					r.Do("world.redo", `{}`)
				}
			}
			if got, want := r.log("ent_0"), written(tasks); got != want {
				rt.Fatalf("the log is %q, want %q", got, want)
			}
		}
	})
}

// decide does what a call does.
func (k *task) decide(what string, order *int) {
	switch {
	case what == "offer" && (k.status == "" || k.status == "failed"):
		if k.status == "" {
			*order++
			k.offered = *order
		}
		k.status, k.done = "available", 0
	case what == "accept" && k.status == "available":
		k.status = "active"
	case what == "decline" && k.status == "available":
		k.status = ""
	case what == "fail" && k.status == "active":
		k.status = "failed"
	}
}

// written writes quests as log does.
func written(tasks []*task) (text string) {
	var has []int
	for i, k := range tasks {
		if k.status != "" {
			has = append(has, i)
		}
	}
	slices.SortFunc(has, func(a, b int) int { return tasks[a].offered - tasks[b].offered })
	for n, i := range has {
		if n > 0 {
			text += "; "
		}
		text += fmt.Sprintf("q%d %s o %d/%d", i, tasks[i].status, tasks[i].done, tasks[i].required)
	}
	return text
}
