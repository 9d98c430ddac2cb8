// Package trace is the log of what happened and why: typed events with actor, session, causes and tick, each chained to
// the one before it by sha256 over the exact bytes that are written.
//
//	log := trace.New(trace.Options{})
//	ids, err := log.Append(nil, trace.Draft{
//		Type: "skill.executed", Actor: "mason", Session: "s1", Payload: []byte(`{"skill":"scene.createEntity"}`),
//	})
//	event, ok := log.Get(ids[0])
//	recent, _ := log.Tail(trace.Filter{Newest: true, Limit: 10, Actor: "mason"})
//	written, err := log.Export(file)   // a line of JSON per event
//	summary, err := trace.Verify(file) // or the first line that was tampered with
//
// A log keeps the newest events in memory, bounded by their number and bytes; the chain's head stays when old events
// leave, so that an export that begins in the middle verifies too. What shall outlive that goes to a [Sink], in the Append, or to a
// [Follower], beside it; package trace/folder has one that keeps files, from which [Log.Load] has another log go on.
package trace
