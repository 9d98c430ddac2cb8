package server_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/server"
)

// A unix socket is for its owner; what a dead server has left behind is replaced, and what a living one
// listens on is not.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "limina.sock")
	address := "unix:" + path
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()

	s, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address})
	if err != nil {
		t.Fatal(err)
	}
	if s.Address() != address {
		t.Errorf("address %s, want %s", s.Address(), address)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	group, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address + "2", SocketMode: 0o660})
	if err != nil {
		t.Fatal(err)
	}
	if info, err = os.Stat(path + "2"); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the socket of a group: %v, %v", info, err)
	}
	_ = group.Close()
	if _, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address + "3", SocketMode: fs.ModeSetuid | 0o600}); err == nil || !strings.Contains(err.Error(), "SocketMode") {
		t.Errorf("a mode that is more than permissions: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- s.Run(ctx) }()
	if _, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address}); err == nil {
		t.Error("two servers on one socket")
	}
	d := websocket.Dialer{NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	c, answer, err := d.Dial("ws://unix/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if got := (&client{c, t}).ask(initialize); !strings.Contains(got, `"result"`) {
		t.Errorf("initialize: %s", got)
	}
	_ = c.Close()
	cancel()
	if err := <-stopped; err != nil {
		t.Errorf("Run = %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// An address that cannot be listened on is named.
func TestBadAddress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"127.0.0.1": "port", "127.0.0.1:notaport": "port", "nowhere.invalid:1": "nowhere.invalid",
		"unix:": "without a path", "unix:" + file: "no socket", "unix:/does/not/exist": "/does/not/exist",
		"unix:/" + strings.Repeat("x", 200): "its 201 bytes may be too many",
	} {
		if _, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Listen on %q = %v, want something of %q", address, err, want)
		}
	}
	if _, err := server.Listen(server.Config{}); err == nil {
		t.Error("Listen without a core succeeded")
	}
}

// Every address of IPv4 is that, and none of IPv6.
func TestEveryAddress(t *testing.T) {
	s, err := server.Listen(server.Config{Core: core(t, noOptions), Tokens: tokens(t), Address: "0.0.0.0:0"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.Address(), "0.0.0.0:") {
		t.Errorf("who asks for 0.0.0.0 gets %s", s.Address())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
}

// certificate returns one for localhost, that signs itself.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// The same over TLS.
func TestTLS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cert, pool := certificate(t)
		r := start(t, server.Config{TLS: &tls.Config{Certificates: []tls.Certificate{cert}}})
		d := websocket.Dialer{NetDialContext: r.listener.DialContext, TLSClientConfig: &tls.Config{RootCAs: pool}}
		c, answer, err := d.Dial("wss://localhost:8787/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		secure := &client{c, t}
		if got := secure.ask(initialize); !strings.Contains(got, `"result"`) {
			t.Errorf("initialize: %s", got)
		}
		page := http.Client{Transport: &http.Transport{DialContext: r.listener.DialContext, TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
		if answer, err = page.Get("https://localhost:8787/"); err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		for _, want := range []string{"<td>wss://", "<td>https://"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the page does not have %s: %s", want, text)
			}
		}
		// Who does not speak TLS harms nobody, nor does who says nothing.
		if status, _, _ := r.get("GET", "/"); status != 400 {
			t.Errorf("plain HTTP: %d", status)
		}
		silent, err := r.listener.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n, err := silent.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("who said nothing was told %d bytes, %v", n, err)
		}
		if got := secure.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
			t.Errorf("call: %s", got)
		}
		r.stop()
		if code, _ := secure.farewell(); code != 1001 {
			t.Errorf("closed with %d", code)
		}
		_ = c.Close()
	})
}

// The server is shut down as soon with TLS as without where a peer reads nothing, though TLS would say goodbye to it for five seconds:
// while something is being written to it, and while nothing is.
func TestShutdownWithTLS(t *testing.T) {
	shutdown := func(scheme string, stuck bool) (took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			var c server.Config
			cert, pool := certificate(t)
			if scheme == "wss" {
				c.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
			}
			r := start(t, c)
			d := websocket.Dialer{NetDialContext: r.listener.DialContext, TLSClientConfig: &tls.Config{RootCAs: pool}}
			conn, answer, err := d.Dial(scheme+"://localhost:8787/", nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			peer := &client{conn, t}
			peer.ask(initialize)
			if stuck {
				peer.send(call(1, "demo.echo", `{"text":"nobody reads this"}`))
			}
			synctest.Wait()
			began := time.Now()
			r.stop()
			r.stopped <- <-r.stopped
			took = time.Since(began)
			_ = conn.Close()
		})
		return took
	}
	for _, stuck := range []bool{true, false} {
		with, without := shutdown("wss", stuck), shutdown("ws", stuck)
		if with > without {
			t.Errorf("with something being written %v: shut down after %v with TLS, %v without", stuck, with, without)
		}
	}
}

// reach connects to a socket and closes that again.
func reach(path string) error {
	c, err := net.Dial("unix", path)
	if err == nil {
		err = c.Close()
	}
	return err
}

// Of servers that find the same dead socket at once one gets its place, and keeps it.
func TestUnixSocketOfMany(t *testing.T) {
	const many = 4
	for round := range 50 {
		path := filepath.Join(t.TempDir(), "limina.sock")
		dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		dead.SetUnlinkOnClose(false)
		_ = dead.Close()
		core := core(t, noOptions)
		opened := make(chan *server.Server)
		begin := make(chan struct{})
		for range many {
			go func() {
				<-begin
				s, _ := server.Listen(server.Config{Core: core, Address: "unix:" + path})
				opened <- s
			}()
		}
		close(begin)
		var got []*server.Server
		for range many {
			if s := <-opened; s != nil {
				got = append(got, s)
			}
		}
		if err := reach(path); err != nil || len(got) != 1 {
			t.Errorf("round %d: %d servers have the socket; to connect: %v", round, len(got), err)
		}
		for _, s := range got {
			_ = s.Close()
		}
		if t.Failed() {
			return
		}
	}
}

// A server that ends takes its own socket away, and not one that has come to its place.
func TestUnixSocketOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "limina.sock")
	listen := func() *server.Server {
		t.Helper()
		s, err := server.Listen(server.Config{Core: core(t, noOptions), Address: "unix:" + path})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := listen()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	other := listen()
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := reach(path); err != nil {
		t.Errorf("the socket of the other is gone: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its own socket is still there: %v", err)
	}
}

// A peer that sends frames right behind his handshake loses none of them: he is refused, or they are served, wherever what is read at a time ends: the head may fill the buffer of
// net/http to the last byte, with the frames in what has been read before that.
func TestFramesBehindAHandshakeThroughSockets(t *testing.T) {
	s, err := server.Listen(server.Config{Core: core(t, noOptions), Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Errorf("Run = %v", err)
		}
	}()
	// fill is a text of n bytes: what stands before the filling, the filling, and what stands behind it.
	fill := func(before, behind string, n int) string {
		return before + strings.Repeat("x", n-len(before)-len(behind)) + behind
	}
	const ping, pong = "\x89\x80\x00\x00\x00\x00", "\x8a\x00"
	for name, tt := range map[string]struct{ more, behind, want string }{
		"frames": {"", ping, "before it is answered"},
		"a body": {"Content-Length: 6\r\n", "{body}", "has no body"},
	} {
		for _, size := range []int{4095, 4096, 4097} {
			for _, warm := range []bool{false, true} {
				c, err := net.Dial("tcp", s.Address())
				if err != nil {
					t.Fatal(err)
				}
				if warm { // a plain request that has the buffer grow to 8 KiB
					body := fill(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"`, `"}}}`, 7900)
					head := fill("POST /mcp HTTP/1.1\r\nHost: "+s.Address()+"\r\nContent-Type: application/json\r\nContent-Length: 7900\r\nX: ", "\r\n\r\n", 8192-7900)
					if _, err := io.WriteString(c, head+body); err != nil {
						t.Fatal(err)
					}
					if status, text, _ := read(t, c); status != http.StatusBadRequest {
						t.Fatalf("a ping without a session: %d %s", status, text)
					}
				}
				head := fill("GET / HTTP/1.1\r\nHost: "+s.Address()+"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"+
					tt.more+"X: ", "\r\n\r\n", size)
				if _, err := io.WriteString(c, head+tt.behind); err != nil {
					t.Fatal(err)
				}
				_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
				in := bufio.NewReader(c)
				answer, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatal(err)
				}
				text := make([]byte, len(pong))
				if answer.StatusCode == http.StatusSwitchingProtocols { // the frame was still on its way
					_, _ = io.ReadFull(in, text)
				} else {
					text, _ = io.ReadAll(answer.Body)
				}
				_ = answer.Body.Close()
				taken := tt.behind == ping && answer.StatusCode == http.StatusSwitchingProtocols && string(text) == pong
				if refused := answer.StatusCode == http.StatusBadRequest && strings.Contains(string(text), tt.want); !taken && !refused {
					t.Errorf("%s behind a head of %d bytes, after a request %v: %d %q, want 400 and %q, or a frame that is answered", name, size, warm, answer.StatusCode, text, tt.want)
				}
				_ = c.Close()
			}
		}
	}
}
