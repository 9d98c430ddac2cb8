package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/trace/folder"
	"github.com/limina-mcp/limina/world"
)

// town is an engine with its world in dir.
func town(t rapid.TB, dir string, c engine.Config) *engine.Engine {
	t.Helper()
	c.Rigid = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Keep(dir); err != nil {
		t.Fatal(err)
	}
	return e
}

// does calls a skill that has to succeed.
func does(t *testing.T, e *engine.Engine, skill, input string) {
	t.Helper()
	if res := operator(t, e, skill, input); res.Err != nil {
		t.Fatal(res.Err)
	}
}

// told is the types of all events that the files of a trace have, in their order, and what they are together.
func told(t rapid.TB, dir string) (events []trace.Event, all trace.Summary) {
	t.Helper()
	paths, err := folder.Files(filepath.Join(dir, "trace"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := trace.Verify(strings.NewReader(string(text)))
		if err == nil {
			err = all.Join(sum)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for line := range strings.Lines(string(text)) {
			var e trace.Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
	}
	return events, all
}

// in returns how many events have the text in their type or payload.
func in(events []trace.Event, text string) (n int) {
	for _, e := range events {
		if strings.Contains(e.Type+string(e.Payload), text) {
			n++
		}
	}
	return n
}

// Who has done what is known to the next process, which goes on with the same chain.
func TestTraceIsKept(t *testing.T) {
	dir := t.TempDir()
	first := town(t, dir, engine.Config{})
	does(t, first, "scene.createEntity", `{}`)
	does(t, first, "scene.destroyEntity", `{"entity":"ent_0"}`)
	for range 2 {
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
	}
	second := town(t, dir, engine.Config{})
	recent, _ := second.Trace.Tail(trace.Filter{Type: registry.EventExecuted, Actor: "ann", Limit: 1, Newest: true})
	if len(recent) != 1 || in(recent, "scene.destroyEntity") != 1 {
		t.Errorf("the second process knows of %v", recent)
	}
	does(t, second, "scene.inspect", `{}`)
	var m metrics.Text
	second.Figures(&m)
	for _, want := range []string{"limina_trace_waiting 1\n", "limina_trace_lost_total 0\n", "limina_trace_unsaved_seconds 0\n"} {
		if !strings.Contains(string(m.Bytes()), want) {
			t.Errorf("the figures lack %s", want)
		}
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	events, all := told(t, dir)
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
	}
	if got := strings.Join(types, " "); got != "world.opened skill.executed skill.executed world.closed world.opened skill.executed world.closed" || all.First != 1 || in(events, `"new":true`) != 1 {
		t.Errorf("the trace has %s, %+v", got, all)
	}
	off := town(t, dir, engine.Config{TraceKeep: -1})
	does(t, off, "scene.inspect", `{}`)
	if err := off.Close(); err != nil {
		t.Fatal(err)
	}
	if now, _ := told(t, dir); len(now) != len(events) {
		t.Error("what is not to be kept is")
	}
}

// What a process has done that kept no trace the next one says is missing, and it says nothing where nothing is.
func TestTraceOfWhatWasNotTraced(t *testing.T) {
	off, on := engine.Config{TraceKeep: -1}, engine.Config{}
	for _, tt := range []struct {
		name   string
		before func(k lives)
		want   string // of the event of the last process
	}{
		{"nothing", func(lives) {}, `world.opened {"new":true}`},
		{"all is told", func(k lives) { k.makes(on, 3, false); k.makes(on, 2, false) }, `world.opened {}`},
		{"a process", func(k lives) { k.makes(on, 3, false); k.makes(off, 2, false) }, `world.opened {"untraced":{"fromTick":3,"toTick":5}}`},
		{"two", func(k lives) {
			k.makes(on, 3, false)
			k.makes(off, 2, false)
			k.makes(off, 1, false)
		}, `world.opened {"untraced":{"fromTick":3,"toTick":6}}`},
		{"one that has changed nothing", func(k lives) { k.makes(on, 3, false); k.makes(off, 0, false) }, `world.opened {}`},
		{"all of the world", func(k lives) { k.makes(off, 2, false) }, `world.opened {"untraced":{"fromTick":0,"toTick":2}}`},
		{"told already", func(k lives) {
			k.makes(on, 3, false)
			k.makes(off, 2, false)
			k.makes(on, 1, false)
		}, `world.opened {}`},
		{"one that was killed", func(k lives) { k.makes(on, 3, false); k.makes(off, 2, true) }, `"tick":5,"nextTick":4294967302,"nextEntity":"ent_1048581","untraced":{"fromTick":3,"toTick":5}}`},
		{"one after one that was killed", func(k lives) {
			k.makes(on, 3, true)
			cut(k.T, k.dir)
			k.makes(off, 2, false)
		}, `world.opened {"untraced":{"fromTick":3,"toTick":4294967301}}`},
		{"an older world", func(k lives) {
			k.makes(on, 3, false)
			text, _ := os.ReadFile(k.file())
			k.makes(on, 2, false)
			if err := os.WriteFile(k.file(), text, 0o600); err != nil {
				k.Fatal(err)
			}
		}, `world.opened {"nextTick":6,"nextEntity":"ent_5","older":{"fromTick":3,"toTick":5}}`},
		{"no world", func(k lives) {
			k.makes(on, 3, false)
			if err := os.Remove(k.file()); err != nil {
				k.Fatal(err)
			}
		}, `world.opened {"new":true,"nextTick":4,"nextEntity":"ent_3","older":{"fromTick":0,"toTick":3}}`},
		{"an older world that was closed, in the place of one that was not", func(k lives) {
			k.makes(on, 3, false)
			text, _ := os.ReadFile(k.file())
			k.makes(on, 2, true)
			cut(k.T, k.dir)
			if err := os.WriteFile(k.file(), text, 0o600); err != nil {
				k.Fatal(err)
			}
		}, `world.opened {"nextTick":4294967302,"nextEntity":"ent_16777219","older":{"fromTick":3,"toTick":5}}`},
		{"one of before two that were killed", func(k lives) {
			k.makes(on, 3, true)
			text, _ := os.ReadFile(k.file())
			k.makes(on, 2, true)
			k.makes(on, 2, true)
			if err := os.WriteFile(k.file(), text, 0o600); err != nil {
				k.Fatal(err)
			}
		}, `"tick":3,"nextTick":8589934600,"nextEntity":"ent_2097159","older":{"fromTick":3,"toTick":8589934599}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.before(lives{t, dir})
			e := town(t, dir, on)
			newest, _ := e.Trace.Tail(trace.Filter{Newest: true, Limit: 1})
			if got := newest[0].Type + " " + string(newest[0].Payload); !strings.HasSuffix(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPutBackGivesNothingTwice holds that of a world that was put back, wherever and however often, and whoever was killed meanwhile, no tick and no id is given that has been given before.
func TestPutBackGivesNothingTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "limina")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "world.jsonl")
		var copies [][]byte
		ticks, ids := map[uint64]bool{}, map[string]bool{}
		for range rapid.IntRange(2, 6).Draw(t, "processes") {
			e := town(t, dir, engine.Config{Logger: zerolog.New(io.Discard)})
			for range rapid.IntRange(0, 3).Draw(t, "entities") {
				res := operator(t, e, "scene.createEntity", `{}`)
				if res.Err != nil {
					t.Fatal(res.Err)
				}
				if tick := e.World.Tick(); ticks[tick] {
					t.Fatalf("tick %d was given before", tick)
				} else {
					ticks[tick] = true
				}
				if id := string(res.Output); ids[id] {
					t.Fatalf("%s was made before", id)
				} else {
					ids[id] = true
				}
			}
			if rapid.Bool().Draw(t, "is copied while it runs") {
				if err := e.Sync(context.Background()); err != nil {
					t.Fatal(err)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				copies = append(copies, text)
			}
			if rapid.Bool().Draw(t, "is killed") { // what is on the disk is what it had written by then
				err = e.Sync(context.Background())
				killed := dir + ".killed"
				if err == nil {
					err = os.CopyFS(killed, os.DirFS(dir))
				}
				if err = errors.Join(err, e.Close(), os.RemoveAll(dir), os.Rename(killed, dir)); err != nil {
					t.Fatal(err)
				}
			} else if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			copies = append(copies, text)
			switch rapid.SampledFrom([]string{"stays", "an older one", "none"}).Draw(t, "world") {
			case "an older one":
				err = os.WriteFile(file, rapid.SampledFrom(copies).Draw(t, "copy"), 0o600)
			case "none":
				err = os.Remove(file)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		events, _ := told(t, dir)
		newest := uint64(0)
		for _, e := range events {
			if e.Tick < newest {
				t.Fatalf("%s is of tick %d, and an event before it of %d", e.ID, e.Tick, newest)
			}
			newest = e.Tick
		}
	})
}

// lives are those of processes that have one world.
type lives struct {
	*testing.T
	dir string
}

func (k lives) file() string { return filepath.Join(k.dir, "world.jsonl") }

// makes has a process make entities, which ends, or is killed after it has written all.
func (k lives) makes(c engine.Config, entities int, killed bool) {
	k.Helper()
	e := town(k.T, k.dir, c)
	for range entities {
		does(k.T, e, "scene.createEntity", `{}`)
	}
	if err := e.Close(); err != nil {
		k.Fatal(err)
	}
	if killed { // what says that it was closed is not there
		text, err := os.ReadFile(k.file())
		if err == nil {
			lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
			err = os.WriteFile(k.file(), []byte(strings.Join(lines[:len(lines)-1], "")), 0o600)
		}
		if err != nil {
			k.Fatal(err)
		}
	}
}

// cut takes the last event off a trace, as if its process had been killed before.
func cut(t *testing.T, dir string) {
	t.Helper()
	paths, err := folder.Files(filepath.Join(dir, "trace"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(paths[len(paths)-1])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	if err := os.WriteFile(paths[len(paths)-1], []byte(strings.Join(lines[:len(lines)-1], "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A trace that is damaged is refused before anything is written, and the folder is free then.
func TestTraceThatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	e := town(t, dir, engine.Config{})
	does(t, e, "scene.createEntity", `{}`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := folder.Files(filepath.Join(dir, "trace"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	state, _ := os.ReadFile(filepath.Join(dir, "world.jsonl"))
	if err := os.WriteFile(paths[0], []byte(strings.Replace(string(whole), "ann", "ben", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := engine.New(engine.Config{Rigid: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Keep(dir); err == nil || !strings.Contains(err.Error(), paths[0]+": line 2: evt_1 was changed") {
		t.Errorf("Keep = %v", err)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
	if now, _ := os.ReadFile(filepath.Join(dir, "world.jsonl")); string(now) != string(state) {
		t.Error("the world's file was changed")
	}
	if err := os.WriteFile(paths[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := town(t, dir, engine.Config{}).Close(); err != nil {
		t.Error(err)
	}
}

// Whenever the process is killed, and wherever the last file then ends: the trace has every call whose effect the world has, and says that the process did not end in order.
func TestTraceOfTheKilled(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "town")
	var dead []string
	synctest.Test(t, func(t *testing.T) {
		e := town(t, dir, engine.Config{Always: true})
		err := e.Run(t.Context(), func(context.Context) error {
			for n := range 40 {
				if n%3 == 0 {
					does(t, e, "scene.inspect", `{}`)
				} else {
					does(t, e, "scene.createEntity", `{}`)
				}
				time.Sleep(time.Duration(n*n%7) * 37 * time.Millisecond)
				synctest.Wait()
				dead = append(dead, filepath.Join(base, fmt.Sprint(n)))
				if err := os.CopyFS(dead[n], os.DirFS(dir)); err != nil {
					return err
				}
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if events, _ := told(t, dir); in(events, "scene.") != 40 {
				t.Errorf("two seconds after all is said the trace has %d of 40 calls", in(events, "scene."))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(dead)-1).Draw(t, "killed at")
		to, err := os.MkdirTemp(base, "")
		if err == nil {
			err = os.CopyFS(to, os.DirFS(dead[n]))
		}
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(to)
		before, _ := told(t, to)
		paths, _ := folder.Files(filepath.Join(to, "trace"))
		if extra := rapid.SliceOfN(rapid.ByteRange(' ', '~'), 0, 50).Draw(t, "half a line"); len(extra) > 0 && len(paths) > 0 {
			f, err := os.OpenFile(paths[len(paths)-1], os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.Write(extra)
				_ = f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		e := town(t, to, engine.Config{})
		entities := 0
		e.World.View(func(v *world.View) { entities = v.Len() })
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		after, _ := told(t, to)
		if made := in(after, "scene.createEntity"); made < entities {
			t.Fatalf("killed at %d the world has %d entities, and the trace %d of the calls that made them", n, entities, made)
		}
		if len(after) != len(before)+2 {
			t.Fatalf("killed at %d it has %d events, and goes on to %d", n, len(before), len(after))
		}
		if after[len(before)].Type != engine.EventRecovered || in(after, engine.EventRecovered) != 1 || !strings.Contains(string(after[len(before)].Payload), `"nextEntity":"ent_1048`) {
			t.Fatalf("killed at %d it goes on with %v", n, after[len(before):])
		}
	})
}

// While its trace cannot be written the world is not written either. When the engine is closed it is, and the next process is told.
func TestTraceThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		e := town(t, dir, engine.Config{Always: true, TraceKeep: folder.MinKeep})
		err := e.Run(t.Context(), func(context.Context) error {
			if err := os.RemoveAll(filepath.Join(dir, "trace")); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, "trace"), nil, 0o600); err != nil { // no folder, and in the way of one
				return err
			}
			state, _ := os.ReadFile(filepath.Join(dir, "world.jsonl"))
			for range 4 { // so that the next file is due
				does(t, e, "agent.emitEvent", `{"type":"x","payload":{"text":"`+strings.Repeat("x", 50_000)+`"}}`)
			}
			does(t, e, "scene.createEntity", `{}`)
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if now, _ := os.ReadFile(filepath.Join(dir, "world.jsonl")); string(now) != string(state) {
				t.Error("the world was written without its trace")
			}
			var m metrics.Text
			if e.Figures(&m); !strings.Contains(string(m.Bytes()), "limina_trace_unsaved_seconds 5\n") {
				t.Errorf("the figures are %s", m.Bytes())
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "trace") {
			t.Errorf("Run = %v", err)
		}
		if err := os.Remove(filepath.Join(dir, "trace")); err != nil {
			t.Fatal(err)
		}
		next := town(t, dir, engine.Config{})
		if next.World.View(func(v *world.View) {
			if v.Len() != 1 {
				t.Errorf("there are %d entities", v.Len())
			}
		}); next.Close() != nil {
			t.Error("it cannot be closed")
		}
		if events, _ := told(t, dir); len(events) != 2 || events[0].Type != engine.EventRecovered {
			t.Errorf("the next process begins with %v", events)
		}
	})
}

// Whoever takes the folder away while a process has it takes nothing of the world. The trace says so, and which of its events are gone.
func TestFolderIsTakenAway(t *testing.T) {
	for name, take := range map[string]func(string) error{
		"removed": os.RemoveAll,
		"moved":   func(dir string) error { return os.Rename(dir, dir+" moved") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "town")
				e := town(t, dir, engine.Config{Always: true})
				err := e.Run(t.Context(), func(context.Context) error {
					does(t, e, "scene.createEntity", `{}`)
					time.Sleep(5 * time.Second)
					if err := take(dir); err != nil {
						return err
					}
					does(t, e, "scene.createEntity", `{}`)
					time.Sleep(time.Second)
					synctest.Wait()
					if said, _ := e.Trace.Tail(trace.Filter{Type: engine.EventRewritten, Limit: 9}); len(said) != 1 || in(said, `{"reason":"the folder was removed or moved"}`) != 1 {
						t.Errorf("the trace says %v", said)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				next := town(t, dir, engine.Config{})
				next.World.View(func(v *world.View) {
					if v.Len() != 2 {
						t.Errorf("there are %d entities", v.Len())
					}
				})
				if err := next.Close(); err != nil {
					t.Fatal(err)
				}
				events, all := told(t, dir)
				if in(events, engine.EventRewritten) != 1 || in(events, engine.EventClosed) != 2 || in(events, engine.EventRecovered) != 0 || len(all.Lost) != 1 || len(all.Unsaid()) > 0 {
					t.Errorf("the trace has %v, %+v", events, all)
				}
			})
		})
	}
}

// TestClockIsSet has the machine's clock set while a world is kept, back by an hour, on by a year, and to before 1970: events state what it said, and nothing else depends on it. What lasts goes
// by the world's steps, the chain holds, and the next process goes on with it.
func TestClockIsSet(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	at := start
	c := engine.Config{Trace: trace.Options{Clock: func() time.Time { return at }}}
	e := town(t, dir, c)
	does(t, e, "game.timer", `{"name":"bomb","action":"start","duration":20,"onComplete":"boom"}`)
	does(t, e, "event.listen", `{"eventName":"boom","action":{"type":"call","target":"game.counter","data":{"name":"booms","action":"increment"}}}`)
	does(t, e, "world.claim", `{"min":[0,0,0],"max":[9,9,9],"seconds":20}`)
	answers := func(skill, input, want string) {
		t.Helper()
		if res := operator(t, e, skill, input); res.Err != nil || !strings.Contains(string(res.Output), want) {
			t.Errorf("at %v: %s answers %s, %v, want %s", at, skill, res.Output, res.Err, want)
		}
	}
	var want []int64
	for i, jump := range []time.Duration{-time.Hour, 365 * 24 * time.Hour, -60 * 365 * 24 * time.Hour, 0} {
		at = start.Add(jump)
		want = append(want, at.UnixMilli())
		does(t, e, "scene.createEntity", fmt.Sprintf(`{"name":"at %d"}`, i))
		for range 240 { // four seconds
			e.World.Step(t.Context())
		}
		if err := e.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		answers("game.timer", `{"name":"bomb","action":"get"}`, fmt.Sprintf(`"elapsed":%d`, 4*(i+1)))
		answers("world.claims", `{}`, fmt.Sprintf(`"seconds":%d`, 20-4*(i+1)))
		if i%2 == 1 { // also where the next process begins at another time than the one before has ended
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			e = town(t, dir, c)
		}
	}
	for range 241 {
		e.World.Step(t.Context())
	}
	answers("game.counter", `{"name":"booms","action":"get"}`, `"value":1`)
	answers("world.claims", `{}`, `"claims":[]`)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	events, all := told(t, dir)
	if all.Missing != nil || all.Events != len(events) {
		t.Errorf("the trace has %+v", all)
	}
	var got []int64
	for _, ev := range events {
		if ev.Type == "skill.executed" && strings.Contains(string(ev.Payload), `"scene.createEntity"`) {
			got = append(got, ev.Timestamp)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the events are of %v, want %v", got, want)
	}
}
