// Package client connects to a Limina server: it calls skills, and holds live copies of the parts of the
// world that it is told to watch.
//
//	c, err := client.Dial(ctx, client.Options{
//		URL:     "ws://127.0.0.1:8787",
//		AgentID: "ada", Profile: "builder.readWrite",
//	})
//	…
//	defer c.Close()
//
//	var made struct{ Entity client.ID }
//	err = c.Call(ctx, "scene.createEntity", map[string]any{"shape": "box"}, &made)
//
//	view, err := c.Subscribe(ctx, client.Subscription{Area: client.Within([3]float64{0, 0, 0}, 50)})
//	for u := range view.Updates(ctx) {
//		for _, id := range u.Changed {
//			e, ok := view.Get(id)
//			…
//		}
//	}
//
// # Calls
//
// Any number of goroutines may call at once; each gets the answer to its own call. What the server
// refuses comes back as an [*Error]. A call that is given up because its context ends is cancelled at
// the server too.
//
// # A lost connection
//
// The client connects again by itself, at growing intervals ([Backoff]), and initializes the same
// session. What was subscribed to is taken up where it stopped: the copies stay as they were, then
// catch up. Calls that were made but not answered fail with [ErrLost], for they may or may not have
// been carried out; calls that come meanwhile wait for the connection, as long as their context lets
// them. What the server still says on a connection that was given up is not applied to any copy. If the
// server does not accept the token any more the client ends, with [ErrToken].
//
// # Who owns what
//
// A [Client] has one goroutine that reads and applies what comes, one that writes, and one that calls
// Options.OnState if that is set. Nobody who reads a [View], or does not read its updates, or stays in
// OnState, keeps the connection waiting, nor can what is kept for him grow without bound.
// [Client.Close] returns when all of them have ended.
package client
