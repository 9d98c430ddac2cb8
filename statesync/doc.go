// Package statesync tells viewers what they see of a world: a snapshot first, and then what comes into
// their area, changes in it and leaves it. It knows no socket; who has one asks for frames when the
// socket is ready.
//
//	hub := statesync.New(w, statesync.Config{})             // one per world
//	feed := hub.Connect(wake)                               // one per connection
//	frame, view, err := feed.Subscribe(buf, options)        // one or several per connection
//	… write frame …
//	view.Start()
//	for {
//		frame, kind := feed.Append(buf[:0])                 // when woken, and the socket is ready
//		if kind == statesync.NoFrame {
//			break
//		}
//		… write frame …
//	}
//
// A client that applies these frames in order, as package replica does, holds after every one of them
// exactly the entities of its area, as they were at the tick that the frame names.
//
// # What happens at a commit
//
// The [Hub] observes the world, so it runs under the world's lock: every microsecond of it delays
// everybody. It goes through what changed. For an entity that some view holds it has a record with
// the newest state, shared by all those views, and a list of them: it brings the record up to date
// and marks the entity in each. Views that an entity comes into are found through a grid of interest,
// whose cells hold views; an entity that nobody sees costs a look into one cell, and one that rests
// costs nothing. Then the hub wakes the connections that had nothing to tell and now have.
//
// A commit does not wait for peers, and hardly for those who pull: they hold the hub's read lock for
// the microseconds that it takes to copy a message together, never while they write to a socket.
//
// # What happens at a pull
//
// [Feed.Append] goes through the marks of a view and writes the newest state of what is marked, in the
// view's encoding. However long ago the last pull was: several commits are folded into one delta. So
// what a view holds in memory depends on what it sees, not on how slowly its client reads. A JSON
// fragment is written by the first view that needs it, and copied by the others.
//
// # Locks
//
// In this order: a feed's ctl (subscribing, declaring, closing), the world's lock, a feed's mu
// (pulling), the hub's mu. A commit comes with the world's lock and takes the hub's; a pull takes the
// feed's mu and the hub's, for reading. Nothing that takes the world's lock may be called from inside a
// transaction or a view of the world.
//
// An area that is subscribed to or declared is read in pieces, between which commits have their turn;
// while that lasts the view tells nothing, and then everything at once. A message that tells thousands is written in pieces, too,
// and put right at the end.
package statesync
