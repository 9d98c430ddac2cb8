package trace_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/limina-mcp/limina/trace"
)

// An event names its causes, so that "why" can be asked later; an export proves that nobody has touched it.
func Example() {
	log := trace.New(trace.Options{Clock: func() time.Time { return time.UnixMilli(1_795_176_000_000) }})
	asked, _ := log.Append(nil, trace.Draft{Type: "user.asked", Actor: "ada", Session: "s1", Payload: []byte(`{"text":"a hut, please"}`)})
	log.Append(nil,
		trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s2", Tick: 7, CausedBy: asked, Payload: []byte(`{"skill":"architecture.building"}`)},
		trace.Draft{Type: "entity.created", Actor: "mason", Session: "s2", Tick: 7, Parent: 1, Payload: []byte(`{"entity":"ent_0"}`)},
	)

	for _, e := range log.Children(asked[0], 0) {
		fmt.Println(e.ID, e.Type, "because of", e.CausedBy)
	}
	newest, _ := log.Tail(trace.Filter{Actor: "mason", Newest: true, Limit: 1})
	fmt.Println(newest[0].ID, newest[0].Type, "is a part of", newest[0].ParentEventID)

	var file bytes.Buffer
	written, _ := log.Export(&file)
	sum, err := trace.Verify(bytes.NewReader(file.Bytes()))
	fmt.Println(written.Events, "events from", sum.First, "to", sum.Last, err)

	forged := bytes.Replace(file.Bytes(), []byte("hut"), []byte("inn"), 1)
	_, err = trace.Verify(bytes.NewReader(forged))
	fmt.Println(err)
	// Output:
	// evt_1 skill.executed because of [evt_0]
	// evt_2 entity.created is a part of evt_1
	// 3 events from evt_0 to evt_2 <nil>
	// line 1: evt_0 was changed: its hash is be931067…, it states eec8d75a…
}
