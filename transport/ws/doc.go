// Package ws frames messages as WebSocket text frames, one message each: how a server serves many
// programs, and browsers, over one port.
//
//	endpoint := ws.NewEndpoint(ws.Options{})
//	go endpoint.Run(ctx)
//	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
//		conn, err := endpoint.Upgrade(w, r)
//		if err != nil {
//			return // the peer has been told
//		}
//		err = core.Serve(ctx, conn) // *mcp.Mcp
//		conn.End(err)
//	})
//
// The package knows nothing of what the messages say, and of no Origin and no token: whoever calls
// Upgrade has looked at those.
//
// # Reading
//
// gorilla/websocket reads. What breaks the protocol is answered with a close frame that says why: a
// message over the limit (1009), a binary frame (1003), text that is not UTF-8 (1007), fragments that
// carry next to nothing (1008), frames that are none (1002).
//
// # Writing
//
// Frames are sealed in the buffer of whoever has something to say, and leave in as few writes as
// possible; gorilla writes nothing. One goroutine at a time has the turn to write. Answers wait for
// their turn and for the peer. What the peer is sent unasked ([Conn.OnRoom]) is pulled by a few
// goroutines that all connections share, only when the peer has room for it, and is never waited
// with: for those first who were served longest ago, and of somebody who has many connections one after the other. They let others run every two milliseconds. Who causes
// something to be pushed to a few connections, and has time, can do it himself ([Endpoint.Hold], [Endpoint.Release]).
//
// # Liveness
//
// [Endpoint.Run] looks after all connections once a second: a silent peer is sent pings, and one that
// answers none, or takes nothing of what is written to it, is let go, with the reason. [Conn.Probe] has
// one asked at once.
package ws
