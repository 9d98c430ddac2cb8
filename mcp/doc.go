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
// who it is in initialize, and failures are JSON-RPC errors. Standard is MCP as others speak it, in
// its versions of 2024-11-05 to 2025-11-25: a peer says which version it wants in initialize, and
// failures are results that a model can read and act on. The field protocolVersion in initialize
// decides; it may come again at any time. A message that claims a version for itself, as the
// stateless era of MCP does, is told that the version is not served.
//
// # Ids
//
// A request's id is a string or an integer and comes back as it was sent, to the letter. An integer
// is a number without a fraction, however it is written: 1.0 and 1e2 are integers, and come back as
// 1.0 and 1e2; 1.5 is not one. Ids are told apart by their text, for notifications/cancelled too.
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
