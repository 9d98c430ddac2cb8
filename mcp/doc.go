// Package mcp serves a registry's skills as tools: in process, and to peers over any transport that
// can carry messages. All that a peer sees of Limina is decided here and nowhere else.
//
// An [Mcp] is made over a registry. Engine code opens a [Session] and calls:
//
//	core, err := mcp.New(reg, mcp.Options{})
//	s, err := core.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
//	out := core.CallTool(ctx, s, mcp.Request{Tool: "scene.createEntity", Input: input})
//	out, err := mcp.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, core, s, "scene.createEntity", in)
//
// A transport hands its messages over as a [Framer]:
//
//	err := core.Serve(ctx, stdio.New(os.Stdin, os.Stdout, stdio.Options{}))
//
// # Dialects
//
// A connection speaks one of two dialects. Native is the wire contract of docs/wire.md: a peer says
// who it is in initialize, and failures are JSON-RPC errors. Standard is MCP as others speak it:
// failures are results that a model can read and act on. A field protocolVersion in initialize
// makes the session standard; initialize may come again at any time.
//
// Standard MCP has two eras. In the legacy one, 2024-11-05 to 2025-11-25, initialize negotiates a
// version, and the connection has a session. In the modern one, 2026-07-28, each request says in its
// _meta which version it is of and who its client is: it is served by that alone (see claim), on
// whatever connection it comes. The methods that both eras have stand in one table, in methods.go,
// and give the legacy result; the modern dialect adds what it lacks.
//
// # Asking the client
//
// A skill that is Slow may ask whoever calls, by [registry.Call.Ask], and need not know the era: a
// legacy peer gets a request and the call waits (ask.go), a modern one makes its request again with the
// answers (round.go), a task waits for them (task.go).
//
// # Ids
//
// A request's id is a string or an integer and comes back as it was sent, to the letter. An integer
// is a number without a fraction, however it is written: 1.0 and 1e2 are integers, and come back as
// 1.0 and 1e2; 1.5 is not one. Whether an id is in use, is cancelled or is answered goes by what it is: 1.0 is
// the same as 1, and "\u0061" as "a".
//
// A line of white space holds no message and gets no answer.
//
// # How messages are run
//
// One goroutine reads a connection. What is common, a tool call in a plain envelope, is taken apart
// in one pass, run and answered there, in the order of arrival, and the answers to all messages of
// one read leave in one write. Everything else goes through jsonrpc2. Calls of skills that are Slow
// run on goroutines of their own, so that notifications/cancelled finds them running.
package mcp
