package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"strconv"
	"strings"

	"github.com/peterbourgon/ff/v4"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/reread"
)

// port is what the flags of --mcp-ws and --mcp-http say.
type port struct {
	ws, http  bool
	number    int
	listen    string
	mode      string
	tokenFile string
	strict    bool
	tlsCert   string
	tlsKey    string
	origins   []string
	public    string
	rate      int
	oauth     oauthFlags
}

func (p *port) flags(fs *ff.FlagSet) {
	fs.BoolVar(&p.ws, 0, "mcp-ws", "serve MCP and the state of the world to many clients over WebSocket, and MCP over HTTP at /mcp")
	fs.BoolVar(&p.http, 0, "mcp-http", "the same, for who asks for HTTP")
	fs.IntVar(&p.number, 0, "port", 8787, "port of --mcp-ws and --mcp-http; 0 is any that is free")
	fs.StringVar(&p.listen, 0, "listen", "127.0.0.1", "address of the port: a host, host:port, or unix:PATH; one that others can reach needs --token-file")
	fs.StringVar(&p.mode, 0, "socket-mode", "600", "who may connect to the unix socket of --listen, as chmod has it: 660 for a group too, such as a proxy's")
	fs.StringVar(&p.tokenFile, 0, "token-file", "", "a YAML or JSON file of tokens, and whom each lets in as what")
	fs.BoolVar(&p.strict, 0, "require-token", "nobody gets a session of the port without a token, on this machine either: for behind a proxy")
	fs.StringVar(&p.tlsCert, 0, "tls-cert", "", "certificate of the port, a PEM file")
	fs.StringVar(&p.tlsKey, 0, "tls-key", "", "its key, a PEM file")
	fs.IntVar(&p.rate, 0, "call-rate", 250_000, "calls a second of one token, over all its connections, or without one of one connection; 0 is without bound")
	p.oauth.flags(fs)
	fs.StringVar(&p.public, 0, "public-url", "", "where others reach the port, as https://world.example.com: through a proxy, or by a name; people and models are told it")
	fs.Value(0, "allow-origin", (*words)(&p.origins), "origin of web pages that may connect, as https://example.com; several with spaces between, or given more than once")
}

// check says what of the flags would be of no use.
func (p *port) check() error {
	if p.rate < 0 {
		return usageError{fmt.Sprintf("--call-rate: must be 0 or more, got %d", p.rate)}
	}
	if p.strict && p.tokenFile == "" && p.oauth.issuer == "" {
		return usageError{"--require-token: nobody could have one: say who may come in with --token-file or --oauth-issuer"}
	}
	return nil
}

// address is what the server listens on.
func (p *port) address() (string, error) {
	if p.number < 0 || p.number > 65535 {
		return "", usageError{fmt.Sprintf("--port: must be within 0 and 65535, got %d", p.number)}
	}
	if path, ok := strings.CutPrefix(p.listen, "unix:"); ok {
		if path == "" {
			return "", usageError{"--listen: unix: needs the path of a socket behind it, as in unix:/run/limina.sock"}
		}
		return p.listen, nil
	}
	if _, port, err := net.SplitHostPort(p.listen); err == nil {
		if _, err := net.LookupPort("tcp", port); err != nil {
			return "", usageError{fmt.Sprintf("--listen: %q: the port must be within 0 and 65535, got %q", p.listen, port)}
		}
		return p.listen, nil
	}
	return net.JoinHostPort(strings.Trim(p.listen, "[]"), strconv.Itoa(p.number)), nil
}

// socketMode is the mode of a unix socket's file.
func (p *port) socketMode() (fs.FileMode, error) {
	mode, err := strconv.ParseUint(p.mode, 8, 16)
	if err != nil || mode == 0 || mode > 0o777 {
		return 0, usageError{fmt.Sprintf("--socket-mode: must be a mode as chmod has it, such as 600 or 660, got %q", p.mode)}
	}
	return fs.FileMode(mode), nil
}

// calls is the rate in the server's terms.
func (p *port) calls() int {
	if p.rate == 0 {
		return -1
	}
	return p.rate
}

// certificate is the port's, nil for none.
func (p *port) certificate() (*keyPair, error) {
	if p.tlsCert == "" && p.tlsKey == "" {
		return nil, nil
	}
	if p.tlsCert == "" || p.tlsKey == "" {
		return nil, usageError{"--tls-cert and --tls-key go together"}
	}
	k := &keyPair{certFile: p.tlsCert, keyFile: p.tlsKey, files: reread.Look(p.tlsCert, p.tlsKey)}
	return k, k.read()
}

// tokens reads the token file, nil if there is none.
func (p *port) tokens(known *profiles.Set, log zerolog.Logger) (*server.Tokens, error) {
	if p.tokenFile == "" {
		return nil, nil
	}
	t, err := server.LoadTokens(p.tokenFile, known)
	if err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	warnOfMode(p.tokenFile, log)
	return t, nil
}

// serves reports whether there is a port.
func (p *port) serves() bool { return p.ws || p.http }

// ready says that the port is open: a line for each flag that has asked for it.
func (p *port) ready(w io.Writer, address string) {
	if p.ws {
		fmt.Fprintf(w, "limina mcp-ws listening on %s\n", address)
	}
	if p.http {
		fmt.Fprintf(w, "limina mcp-http listening on %s\n", address)
	}
}
