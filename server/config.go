package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/internal/complain"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server/metrics"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/transport/ws"
)

// DefaultAddress is where a server listens if nothing else is said.
const DefaultAddress = "127.0.0.1:8787"

// Config describes a server. Core has to be set.
type Config struct {
	Core *mcp.Mcp

	// Address is a TCP address, "127.0.0.1:8787" (port 0: any), or "unix:" and the path of a socket;
	// default [DefaultAddress]. One that is neither loopback nor unix needs Tokens
	// or OAuth.
	Address string
	// SocketMode is the mode of a unix socket's file: who may write to it may connect. Default 0o600, which is our user only; 0o660 is a group, as a proxy's
	// of another user, too.
	SocketMode fs.FileMode
	TLS        *tls.Config // nil: without
	Tokens     *Tokens     // who may come in, by token, and who may not; Core should look them up too
	OAuth      *OAuth      // whose tokens are taken besides, from everywhere; nil: nobody's
	// RequireTokens has nobody get a session without a token, also where only this machine can reach the port: behind a proxy, which lets
	// everybody come from here, and on a machine that several people use. It needs Tokens or OAuth.
	RequireTokens bool
	Origins       []string // origins of pages that may connect beside those of this machine; "*" is all

	// PublicURL is where others reach the server, "https://world.example.com" or, in a folder of a site, "https://world.example.com/limina": through a proxy, or by a name. People and
	// models are told it, and pages of its origin may connect, whether or not the proxy passes on Host. "" is the address that is listened on.
	PublicURL string

	MaxConnections   int             // open at once; default 10,000, or 128 fewer than the process may open files where that is less
	Rate             int             // calls a second of one token, without one of one connection; default 250,000, negative: without bound
	HandshakeTimeout time.Duration   // until a request is there, and a session where tokens are needed; default 5 s
	Drain            time.Duration   // how long running calls have when the server shuts down, or their peer has gone; default 10 s
	WebSocket        ws.Options      // its Protocols and Ahead are the server's
	HTTP             httpmcp.Options // of MCP over HTTP

	// Viewer serves the page at /view, which shows the world in a browser, such as package viewer's; nil: there is none. It is
	// asked without a token, since a browser has none to send with its first request: who asks it learns nothing of the world.
	Viewer http.Handler

	Version string
	Figures func(*metrics.Text) // adds more to /metrics; may be nil
	Logger  zerolog.Logger      // the zero one writes warnings and errors to stderr; [zerolog.Nop] is for none
}

const (
	maxConnections = 10_000
	otherFiles     = 128 // that a process may want to open beside its connections: what keeps a world, what it is asked to write
)

// connectionsOf returns how many connections there may be in a process that may open so many files; 0 is as many as it likes.
func connectionsOf(files uint64) int {
	if files == 0 || files >= maxConnections+otherFiles {
		return maxConnections
	}
	if files < 2*otherFiles {
		return max(int(files/2), 1)
	}
	return int(files - otherFiles)
}

// check applies the defaults.
func (c *Config) check() error {
	if c.Core == nil {
		return errors.New("server: no core to serve")
	}
	if c.RequireTokens && c.Tokens == nil && c.OAuth == nil {
		return errors.New("server: RequireTokens without Tokens or OAuth would let nobody in")
	}
	if c.Address == "" {
		c.Address = DefaultAddress
	}
	if c.SocketMode == 0 {
		c.SocketMode = 0o600
	}
	if c.SocketMode&^fs.ModePerm != 0 {
		return fmt.Errorf("server: SocketMode %v: want permissions only", c.SocketMode)
	}
	if c.MaxConnections <= 0 {
		c.MaxConnections = connectionsOf(openFiles())
	}
	if c.Rate == 0 {
		c.Rate = 250_000
	}
	if c.HandshakeTimeout <= 0 {
		c.HandshakeTimeout = 5 * time.Second
	}
	if c.Drain <= 0 {
		c.Drain = 10 * time.Second
	}
	if c.Version == "" {
		c.Version = "(devel)"
	}
	c.Logger = complain.By(c.Logger, os.Stderr)
	c.HTTP.Logger, c.HTTP.Rate = c.Logger, c.Rate
	c.WebSocket.Protocols = []string{protocolMCP}
	return nil
}
