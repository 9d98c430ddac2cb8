// Package replica holds a client's copy of what it is subscribed to: it reads snapshots and deltas of
// state sync in all three encodings and applies them.
//
// A [Copy] belongs to one client. It is fed the frames that come, and holds a [View] for each
// subscription, with exactly the entities of its area:
//
//	var c replica.Copy
//	updates, err := c.Text(frame)      // a text frame: a notification, or an array of them
//	updates, err = c.Binary(frame)     // a binary frame
//	for number, e := range c.View("").Entities { … }
//
// After a lost connection the copy goes on: subscribe again with the same areas and since set to
// [View.Tick], and feed it what comes.
//
// The package imports nothing else of Limina, so that a client need not carry a server.
// docs/state-sync.md describes the formats.
package replica
