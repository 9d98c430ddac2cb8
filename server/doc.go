// Package server owns the port: the listener, TLS, the checks of who may come in, and the way from a
// request to what serves it. One port is for WebSockets, on any path, and for plain HTTP: a status
// page, /healthz and /metrics.
//
//	s, err := server.Listen(server.Config{Core: core, Address: "127.0.0.1:8787"})
//	...
//	defer s.Close()
//	fmt.Println("listening on", s.Address())
//	err = s.Run(ctx) // until ctx ends; then it shuts down in order
//
// # Who may come in
//
// On a loopback address or a unix socket: every program of this machine. A page in a browser has to
// come from this machine too, by its Origin, and must not have found us by a name of its own, by the
// Host; others are let in by [Config.Origins]. Any other address needs [Tokens] or [OAuth], and who has none
// gets no session; with OAuth that holds everywhere.
//
// # The end
//
// When the context of [Server.Run] ends, nobody is accepted any more, calls that are running are
// answered, and every WebSocket is closed with 1001. Calls that take longer than [Config.Drain] are
// cancelled.
package server
