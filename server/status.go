package server

import (
	"fmt"
	"html"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// health says that the server takes new connections: one that is shutting down answers nobody new.
func health(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "ok")
}

// statusPage is what a person sees who opens the port in a browser. Its links lead on from where it is: a proxy may have given the server a folder of a site.
const statusPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Limina</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em}td{padding-right:2em}</style>
<h1>Limina</h1>
<p>One shared 3-D world that many agents build at once. This port speaks MCP over WebSocket, on any path, and over HTTP, at <code>/mcp</code>.</p>
<table>
<tr><td>version<td>%s
<tr><td>WebSocket<td>%s
<tr><td>HTTP<td>%s
<tr><td>up for<td>%s
<tr><td>connections<td>%d
</table>
<p>%s<a href="healthz">/healthz</a> <a href="metrics">/metrics</a> <a href="sessions">/sessions</a></p>
`

// url is where a path of the server is, by http or ws, as peers know it who have asked for host, "" where none has; by a unix socket that has no other name, the socket.
func (s *Server) url(scheme, path, host string) string {
	if at := s.config.PublicURL; at != "" { // which begins with http or https
		return scheme + strings.TrimRight(at, "/")[len("http"):] + path
	}
	if strings.HasPrefix(s.Address(), unixPrefix) {
		return s.Address()
	}
	if s.config.TLS != nil {
		scheme += "s"
	}
	at := s.Address()
	if name, err := netip.ParseAddrPort(at); err == nil && name.Addr().IsUnspecified() && host != "" { // every address of the machine, by one of which he has come
		at = host
	}
	return scheme + "://" + at + path
}

// ViewerURL returns where a person sees the world in a browser: at [Config.PublicURL] or, without one, on this machine. It is "" if there is no [Config.Viewer] and, without a public URL, on a unix
// socket, where the address is not one of this machine alone, and where tokens are needed on it, as behind a proxy.
func (s *Server) ViewerURL() string {
	if s.config.Viewer == nil || s.config.PublicURL == "" && (s.checks.needsToken() || strings.HasPrefix(s.Address(), unixPrefix)) {
		return ""
	}
	return s.url("http", pathView, "")
}

func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	view := ""
	if s.config.Viewer != nil {
		view = `<a href="` + pathView[1:] + `">/view</a> shows the world. `
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	fmt.Fprintf(w, statusPage, html.EscapeString(s.config.Version), html.EscapeString(s.url("ws", "", r.Host)), html.EscapeString(s.url("http", pathMCP, r.Host)),
		time.Since(s.started).Round(time.Second), s.endpoint.Stats().Open, view)
}
