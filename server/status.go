package server

import (
	"fmt"
	"html"
	"net/http"
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

// url is where a path of the server is, by http or ws; by a unix socket, the socket.
func (s *Server) url(scheme, path string) string {
	if strings.HasPrefix(s.Address(), unixPrefix) {
		return s.Address()
	}
	if s.config.TLS != nil {
		scheme += "s"
	}
	return scheme + "://" + s.Address() + path
}

// ViewerURL returns where a person of this machine sees the world in a browser: "" if there is no [Config.Viewer], on a unix
// socket, and where the address is not one of this machine alone.
func (s *Server) ViewerURL() string {
	if s.config.Viewer == nil || !s.checks.local || strings.HasPrefix(s.Address(), unixPrefix) {
		return ""
	}
	return s.url("http", pathView)
}

func (s *Server) status(w http.ResponseWriter) {
	view := ""
	if s.config.Viewer != nil {
		view = `<a href="` + pathView[1:] + `">/view</a> shows the world. `
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	fmt.Fprintf(w, statusPage, html.EscapeString(s.config.Version), html.EscapeString(s.url("ws", "")), html.EscapeString(s.url("http", pathMCP)),
		time.Since(s.started).Round(time.Second), s.endpoint.Stats().Open, view)
}
