// Package httpmcp is MCP's Streamable HTTP: one endpoint for both eras of the protocol, which frames
// messages and knows no method. What it has to know of a message, package mcp tells it as an
// [mcp.Outline].
//
//	e := httpmcp.New(core, httpmcp.Options{})
//	go e.Run(ctx)                                          // ends sessions that nobody uses
//	http.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
//		e.Serve(w, r, mcp.Peer{})                      // who may come in has been decided before
//	})
//
// # Two eras, decided per request
//
// A POST whose message says for itself which version of MCP it speaks is modern (2026-07-28): it
// stands alone, its headers have to say what its body says, and it is cancelled when its client goes
// away. Any other POST belongs to a session, which initialize opens and whose id comes back as
// Mcp-Session-Id; with GET the client of a session listens to what no request of its own has caused,
// and with DELETE it ends the session.
//
// # Answers
//
// What is answered at once is one JSON body. What takes longer, or is told something before its answer,
// becomes a stream of events, if the client takes one. Each message goes on one stream only.
//
// # Streams of sessions
//
// The events of a session's streams have ids, and a bounded number of bytes of them is kept: a client
// whose connection has broken asks with GET and Last-Event-ID for what it has missed, and gets the rest
// of the stream as it comes. Its call has gone on meanwhile. A stream may also be broken off by the
// server, see [Options.Hold]: the client comes back for the rest.
//
// Between requests a session is an entry in a table and no goroutine.
package httpmcp
