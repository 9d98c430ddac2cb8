package server_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/server"
)

// shaking is a server whose handshakes stop in the middle of what is computed, until they are told to go on.
type shaking struct {
	*rig
	trust *tls.Config
	in    chan string // where each comes from that is computed
	goOn  chan struct{}
}

func startShaking(t *testing.T, c server.Config) *shaking {
	t.Helper()
	cert, pool := certificate(t)
	s := &shaking{trust: &tls.Config{RootCAs: pool, ServerName: "localhost"}, in: make(chan string, 100), goOn: make(chan struct{})}
	c.Tokens = tokens(t)
	c.TLS = &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if h.ServerName == "free" {
			return &cert, nil
		}
		s.in <- h.Conn.RemoteAddr().String()
		<-s.goOn
		return &cert, nil
	}}
	s.rig = startOn(t, false, c)
	return s
}

// shake has somebody shake hands, and returns what comes of it.
func (s *shaking) shake(t *testing.T, address string) (c *tls.Conn, done chan error) {
	t.Helper()
	conn, err := s.from(address)(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	c, done = tls.Client(conn, s.trust), make(chan error, 1)
	go func() { done <- c.HandshakeContext(context.Background()) }()
	synctest.Wait()
	return c, done
}

// width is how many are computed at a time.
func width() int { return max(runtime.GOMAXPROCS(0)/2, 1) }

// Half of the processors are left to those who are in, however many shake hands; and each address has a turn after the other, so
// that whoever comes from elsewhere does not wait for all who came before him.
func TestHandshakesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const attackers = 30
		s := startShaking(t, server.Config{HandshakeTimeout: time.Hour})
		var over []chan error
		for n := range width() + attackers {
			_, done := s.shake(t, fmt.Sprintf("192.0.2.1:%d", n+1))
			over = append(over, done)
		}
		if got := len(s.in); got != width() {
			t.Fatalf("%d handshakes are computed at a time, want %d", got, width())
		}
		for range width() {
			<-s.in
		}
		_, other := s.shake(t, "198.51.100.7:1")
		_, another := s.shake(t, "198.51.100.7:2")
		over = append(over, other, another)
		synctest.Wait()
		var order []string
		for range attackers + 2 {
			s.goOn <- struct{}{}
			synctest.Wait()
			if got := len(s.in); got != 1 {
				t.Fatalf("after %d, %d have the turn that is free, want 1", len(order), got)
			}
			order = append(order, <-s.in)
		}
		close(s.goOn)
		want := []string{
			fmt.Sprintf("192.0.2.1:%d", width()+attackers), "198.51.100.7:2", // of one address who came last
			fmt.Sprintf("192.0.2.1:%d", width()+attackers-1), "198.51.100.7:1",
			fmt.Sprintf("192.0.2.1:%d", width()+attackers-2), fmt.Sprintf("192.0.2.1:%d", width()+attackers-3),
		}
		if !slices.Equal(order[:len(want)], want) {
			t.Errorf("turns are given to %v, want %v", order[:len(want)], want)
		}
		for n, done := range over {
			if err := <-done; err != nil {
				t.Errorf("the %d. could not shake hands: %v", n+1, err)
			}
		}
	})
}

// A turn is not kept by whoever is waited for, and goes to those first for whom something has been done.
func TestHandshakesThatStopWaitForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startShaking(t, server.Config{HandshakeTimeout: time.Hour})
		s.trust.MaxVersion = tls.VersionTLS12 // has something to be computed after its second message, too
		begun := map[int]chan error{}
		pause := make(chan struct{})
		s.trust.VerifyConnection = func(tls.ConnectionState) error { // is called between the two
			<-pause
			return nil
		}
		for n := range 3 * width() {
			_, begun[n] = s.shake(t, "192.0.2.1:1")
		}
		for range 3 * width() {
			s.goOn <- struct{}{}
			synctest.Wait()
		}
		if got := len(s.in); got != 3*width() {
			t.Fatalf("%d of %d were computed while peers were waited for", got, 3*width())
		}
		for range 3 * width() {
			<-s.in
		}
		for range width() { // takes no answer
			conn, err := s.from("203.0.113.5:1")(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			deaf := tls.Client(&mute{conn, t.Context().Done()}, s.trust)
			go func() { _ = deaf.HandshakeContext(context.Background()) }()
			synctest.Wait()
			<-s.in
			s.goOn <- struct{}{}
		}
		for n := range 3 * width() { // all turns are taken, and somebody waits
			s.shake(t, fmt.Sprintf("198.51.100.7:%d", n+1))
		}
		if got := len(s.in); got != width() {
			t.Fatalf("%d are computed at a time, want %d", got, width())
		}
		close(pause)
		synctest.Wait()
		s.goOn <- struct{}{}
		synctest.Wait()
		for n, done := range begun {
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%d: %v", n, err)
				}
			default:
				t.Errorf("%d, for whom something was done, waits for those that came later", n)
			}
		}
		close(s.goOn)
	})
}

// mute is a connection that reads nothing of what is there.
type mute struct {
	net.Conn
	over <-chan struct{}
}

func (m *mute) Read([]byte) (int, error) {
	<-m.over
	return 0, io.EOF
}

// A connection that has been closed to make room has no turn.
func TestHandshakesOfThoseWhoHadToGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 20
		s := startShaking(t, server.Config{HandshakeTimeout: time.Hour, MaxConnections: width() + most})
		for n := range width() + 2*most {
			s.shake(t, fmt.Sprintf("192.0.2.1:%d", n+1))
		}
		close(s.goOn)
		synctest.Wait()
		if got, want := len(s.in), width()+width()+most; got != want {
			t.Errorf("%d handshakes were computed, want %d: those that were begun before the port was full, and those that are open", got, want)
		}
	})
}

// Who has no turn in half the time that he has for saying something is let go, and counted. Who is in is answered meanwhile.
func TestHandshakesThatWaitTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startShaking(t, server.Config{HandshakeTimeout: 10 * time.Second})
		trust := s.trust.Clone()
		trust.ServerName, trust.InsecureSkipVerify = "free", true
		visitor := http.Client{Transport: &http.Transport{TLSClientConfig: trust, DialContext: s.from("203.0.113.5:1")}}
		t.Cleanup(visitor.CloseIdleConnections)
		figures := func() string {
			q, err := http.NewRequest(http.MethodGet, "https://localhost/metrics", nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Authorization", "Bearer ada-has-this-token")
			answer, err := visitor.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			return body(t, answer)
		}
		figures()
		var over []chan error
		for range 2 * width() {
			_, done := s.shake(t, "192.0.2.1:1")
			over = append(over, done)
		}
		if got, want := figures(), fmt.Sprintf("limina_handshakes_waiting %d\n", width()); !strings.Contains(got, want) {
			t.Errorf("the figures lack %s:\n%s", want, got)
		}
		time.Sleep(5*time.Second - time.Millisecond)
		synctest.Wait()
		if len(over[width()]) != 0 {
			t.Error("one is let go too early")
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		for n, done := range over {
			if gone := len(done) == 1; gone != (n >= width()) {
				t.Errorf("the %d. of %d has been let go: %v", n+1, len(over), gone)
			}
		}
		got := figures()
		for _, want := range []string{fmt.Sprintf("limina_refused_total{reason=\"handshake\"} %d\n", width()), "limina_handshakes_waiting 0\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("the figures lack %s:\n%s", want, got)
			}
		}
		close(s.goOn)
	})
}

// Whoever comes back resumes his TLS session, which needs no private key's work.
func TestHandshakesResume(t *testing.T) {
	cert, pool := certificate(t)
	s, err := server.Listen(server.Config{Core: core(t, noOptions), Address: "127.0.0.1:0", TLS: &tls.Config{Certificates: []tls.Certificate{cert}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	trust := &tls.Config{RootCAs: pool, ServerName: "localhost", ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	for n := range 2 {
		visitor := http.Client{Transport: &http.Transport{TLSClientConfig: trust}}
		answer, err := visitor.Get("https://" + s.Address() + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		if got := body(t, answer); got != "ok\n" || answer.TLS.DidResume != (n == 1) {
			t.Errorf("visit %d: %q, resumed: %v", n, got, answer.TLS.DidResume)
		}
		visitor.CloseIdleConnections()
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// body returns what has been answered, as a whole.
func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	_ = answer.Body.Close()
	return string(text)
}
