package ws_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/transport/ws"
)

// counter is a state that is pushed: always the newest, as a number.
type counter struct {
	conn   *ws.Conn
	n      atomic.Int64
	pulls  atomic.Int64
	told   int64
	weight int // bytes that each message has beside the number
}

func (c *counter) set(n int64) {
	c.n.Store(n)
	c.conn.Wake()
}

func (c *counter) fill(dst []byte) []byte {
	c.pulls.Add(1)
	n := c.n.Load()
	if n == c.told {
		return dst
	}
	c.told = n
	start := len(dst)
	dst = strconv.AppendInt(dst, n, 10)
	dst = append(dst, bytes.Repeat([]byte{' '}, c.weight)...)
	return c.conn.SealBinary(dst, start)
}

// push serves a connection whose counter it hands to given, and echoes.
func push(given chan<- *counter, weight int) func(*ws.Conn) error {
	return func(c *ws.Conn) error {
		k := &counter{conn: c, weight: weight}
		c.Wake() // nothing to push yet: ignored
		c.OnRoom(k.fill, nil)
		given <- k
		return echo(c)
	}
}

// watched connects clients whose counters come from given.
func (r *rig) watched(n int, given <-chan *counter) (clients []*client, counters []*counter) {
	for range n {
		clients, counters = append(clients, r.dial()), append(counters, <-given)
	}
	synctest.Wait()
	return clients, counters
}

// number reads one pushed message.
func (c *client) number() int64 {
	c.t.Helper()
	kind, p, err := c.ReadMessage()
	if err != nil || kind != websocket.BinaryMessage {
		c.t.Errorf("kind %d, %v", kind, err)
		return -1
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(p)), 10, 64)
	if err != nil {
		c.t.Error(err)
	}
	return n
}

// allGet has each client read a number.
func allGet(t *testing.T, clients []*client, want int64) {
	t.Helper()
	for i, c := range clients {
		if got := c.number(); got != want {
			t.Fatalf("client %d of %d got %d, want %d", i, len(clients), got, want)
		}
	}
}

// What is pushed arrives at once; to who is slow to read, the newest of it; and nobody waits.
func TestPush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		quick := r.dial()
		kq := <-given
		slow := r.dial()
		ks := <-given
		for n := int64(1); n <= 100; n++ {
			ks.set(n)
			kq.set(n)
			if got := quick.number(); got != n {
				t.Errorf("the quick reader got %d, want %d", got, n)
			}
			synctest.Wait()
		}
		if first, second := slow.number(), slow.number(); first != 1 || second != 100 {
			t.Errorf("the slow reader got %d and %d, want the first and the newest", first, second)
		}
		if n := ks.pulls.Load(); n > 4 {
			t.Errorf("the slow reader's state was pulled %d times", n)
		}
		slow.send("x")
		if got := slow.receive(); got != "x" {
			t.Errorf("echoed %q", got)
		}
	})
}

// Answers and what is pushed share a connection, frame by frame.
func TestPushBesideAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		c := r.dial()
		k := <-given
		go func() {
			for n := int64(1); n <= 1000; n++ {
				k.set(n)
				time.Sleep(time.Millisecond)
			}
		}()
		go func() {
			for i := range 1000 {
				if err := c.WriteMessage(websocket.TextMessage, fmt.Append(nil, i)); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Millisecond)
			}
		}()
		defer time.Sleep(time.Second) // until both are done
		answers, last := 0, int64(0)
		for answers < 1000 || last < 1000 {
			kind, p, err := c.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.ParseInt(string(p), 10, 64)
			switch {
			case err != nil:
				t.Fatal(err)
			case kind == websocket.TextMessage:
				if n != int64(answers) {
					t.Fatalf("answer %d, want %d", n, answers)
				}
				answers++
			case n <= last:
				t.Fatalf("pushed %d after %d", n, last)
			default:
				last = n
			}
		}
	})
}

// Who fetches beforehand is shown the sources of those who are pushed to next, in that order and not too many at once.
func TestAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *ws.Conn)
		var told, filled []any
		hold := make(chan struct{})
		r := start(t, ws.Options{Pushers: 1, Ahead: func(sources []any) uint64 {
			if len(sources) == 0 || len(sources) > 16 {
				t.Errorf("told of %d sources at once", len(sources))
			}
			told = append(told, sources...)
			return 0
		}}, func(c *ws.Conn) error {
			given <- c
			return echo(c)
		})
		conns := make([]*ws.Conn, 40)
		for i := range conns {
			r.dial()
			conns[i] = <-given
			conns[i].OnRoom(func(dst []byte) []byte {
				<-hold
				filled = append(filled, i)
				return dst
			}, i)
		}
		for _, c := range conns {
			c.Wake()
		}
		close(hold)
		synctest.Wait()
		if len(filled) != len(conns) || !slices.Equal(told, filled) {
			t.Errorf("told of  %v\nfilled by %v", told, filled)
		}
	})
}

// Where there is more to push than is possible, everybody gets as much: not those more who are woken first
// after each change.
func TestPushIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *ws.Conn)
		r := start(t, ws.Options{Pushers: 1}, func(c *ws.Conn) error {
			given <- c
			return echo(c)
		})
		conns := make([]*ws.Conn, 12)
		served := make([]int, len(conns))
		turn := make(chan struct{}) // lets one fill go on
		defer close(turn)
		for i := range conns {
			client := r.dial()
			conns[i] = <-given
			conns[i].OnRoom(func(dst []byte) []byte {
				if _, open := <-turn; !open {
					return dst
				}
				served[i]++
				return conns[i].SealBinary(append(dst, '1'), len(dst))
			}, nil)
			go func() {
				for {
					if _, _, err := client.ReadMessage(); err != nil {
						return
					}
				}
			}()
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for tick := range 100 {
			for _, c := range conns {
				c.Wake()
			}
			for range 1 + rng.IntN(len(conns)-2) {
				turn <- struct{}{}
				synctest.Wait() // until it is written
			}
			if least, most := slices.Min(served), slices.Max(served); most-least > 1 {
				t.Fatalf("after %d ticks they were served %v times", tick+1, served)
			}
		}
	})
}

// Whoever has many connections to whom there is always more to push gets no more than his share: two with some get the same, however many each has, and somebody with one
// waits for no more pushes to others than are begun at a time.
func TestPushIsSharedByOwner(t *testing.T) {
	for _, many := range []int{25, 90, 1000} {
		synctest.Test(t, func(t *testing.T) {
			const few, begun = 20, 16
			given := make(chan *ws.Conn)
			r := start(t, ws.Options{Pushers: 1}, func(c *ws.Conn) error {
				given <- c
				return echo(c)
			})
			turn := make(chan struct{}) // lets one fill go on
			defer close(turn)
			var order []int
			whose := func(i int) string {
				switch {
				case i == few+many/2:
					return "ada"
				case i < few:
					return "bob"
				default:
					return "eve"
				}
			}
			conns := make([]*ws.Conn, few+many+1)
			for i := range conns {
				client := r.dial()
				conns[i] = <-given
				conns[i].Own(whose(i))
				conns[i].OnRoom(func(dst []byte) []byte {
					if _, open := <-turn; !open {
						return dst
					}
					order = append(order, i)
					conns[i].Wake()
					return conns[i].SealBinary(append(dst, '1'), len(dst))
				}, nil)
				go func() {
					for {
						if _, _, err := client.ReadMessage(); err != nil {
							return
						}
					}
				}()
			}
			for _, c := range conns {
				c.Wake()
			}
			for range 6 * len(conns) {
				turn <- struct{}{}
				synctest.Wait() // until it is written
			}
			served, last, longest := make([]int, len(conns)), 0, 0
			all := map[string]int{}
			each := map[string][]int{}
			for at, i := range order {
				all[whose(i)]++
				if served[i]++; i == few+many/2 {
					longest, last = max(longest, at-last), at
				}
			}
			for i, n := range served {
				each[whose(i)] = append(each[whose(i)], n)
			}
			if longest > begun {
				t.Errorf("of %d connections, there are up to %d pushes to others between two of ada's, who has one", len(conns), longest)
			}
			if d := all["bob"] - all["eve"]; d < -begun || d > begun {
				t.Errorf("of %d connections, eve's are pushed to %d times, and bob's, who has %d, %d times", len(conns), all["eve"], few, all["bob"])
			}
			for name, n := range each {
				if slices.Max(n)-slices.Min(n) > 1 {
					t.Errorf("of %d connections, each of %s's is pushed to %d to %d times", len(conns), name, slices.Min(n), slices.Max(n))
				}
			}
		})
	}
}

// A peer to whom is pushed and who does not read is let go.
func TestPushToPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		r.dial()
		k := <-given
		k.set(1)
		var e *ws.Error
		if err := <-r.ended; !errors.As(err, &e) || e.Code != ws.CodePolicy {
			t.Errorf("ended with %v", err)
		}
		k.set(2)
	})
}

// Seal and SealBinary write the three lengths of a header in place, and leave alone what stands before.
func TestSeal(t *testing.T) {
	var c ws.Conn
	for _, n := range []int{0, 125, 126, 65535, 65536} {
		payload := bytes.Repeat([]byte("x"), n)
		p := c.Seal(append([]byte("before"), payload...), 6)
		header := []byte{0x81, byte(n)}
		switch {
		case n > 65535:
			header = binary.BigEndian.AppendUint64([]byte{0x81, 127}, uint64(n))
		case n > 125:
			header = binary.BigEndian.AppendUint16([]byte{0x81, 126}, uint16(n))
		}
		if want := append(append([]byte("before"), header...), payload...); !bytes.Equal(p, want) {
			t.Errorf("Seal of %d bytes begins with %x, want %x", n, p[:min(len(p), 20)], want[:min(len(want), 20)])
		}
		if p := c.SealBinary(nil, 0); !bytes.Equal(p, []byte{0x82, 0}) {
			t.Errorf("SealBinary of nothing = %x", p)
		}
	}
}

// What is held is pushed by who releases it, before Release returns, if there is little of it and time to spare.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		const some = 20
		clients, counters := r.watched(some, given)
		pulls := func() (n int64) {
			for _, k := range counters {
				n += k.pulls.Load()
			}
			return n
		}
		for n := int64(1); n <= 3; n++ {
			before := pulls()
			r.endpoint.Hold()
			for _, k := range counters {
				k.set(n)
			}
			for range 100 {
				counters[0].conn.Wake() // who waits already is not counted again
			}
			synctest.Wait()
			if got := pulls(); got != before {
				t.Fatalf("%d were pushed to while all was held", got-before)
			}
			if queued := r.endpoint.Stats().Queued; queued != some {
				t.Fatalf("%d wait, want %d", queued, some)
			}
			if n == 2 {
				r.endpoint.Release(false)
				synctest.Wait()
			} else {
				r.endpoint.Release(true)
			}
			if got := pulls(); got != before+some {
				t.Fatalf("round %d: %d were pushed to, want %d", n, got-before, some)
			}
			allGet(t, clients, n)
		}
		r.endpoint.Release(true) // nothing was held, nothing is pushed
		counters[0].set(4)
		if got := clients[0].number(); got != 4 {
			t.Errorf("after all that, got %d, want 4", got)
		}
	})
}

// More than a moment's work is left to the endpoint's own goroutines, which begin at once.
func TestReleaseOfMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		const many = 80
		clients, counters := r.watched(many, given)
		r.endpoint.Hold()
		for _, k := range counters {
			k.set(1)
		}
		allGet(t, clients[:many/2], 1)
		r.endpoint.Release(true)
		allGet(t, clients[many/2:], 1)
	})
}

// A goroutine is lent for a moment: if what few there are take longer, the endpoint's own go on with the rest.
func TestReleaseOfWhatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		r := start(t, ws.Options{Pushers: 1}, func(c *ws.Conn) error {
			k := &counter{conn: c}
			c.OnRoom(func(dst []byte) []byte {
				time.Sleep(time.Millisecond)
				return k.fill(dst)
			}, nil)
			given <- k
			return echo(c)
		})
		const some = 30
		clients, counters := r.watched(some, given)
		r.endpoint.Hold()
		for _, k := range counters {
			k.set(1)
		}
		began := time.Now()
		r.endpoint.Release(true)
		if took := time.Since(began); took >= some/2*time.Millisecond {
			t.Errorf("Release took %v", took)
		}
		allGet(t, clients, 1)
	})
}

// Where one of the endpoint's own goroutines is at work, it goes on with what is released: Release does not wait for it.
func TestReleaseBesidePusher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := make(chan *counter, 1)
		busy, goOn := make(chan struct{}), make(chan struct{})
		var second atomic.Bool
		r := start(t, ws.Options{Pushers: 1}, func(c *ws.Conn) error {
			if second.Swap(true) {
				return push(given, 0)(c)
			}
			c.OnRoom(func(dst []byte) []byte {
				close(busy)
				<-goOn
				return dst
			}, nil)
			c.Wake()
			return echo(c)
		})
		r.dial()
		<-busy
		c := r.dial()
		k := <-given
		r.endpoint.Hold()
		k.set(1)
		r.endpoint.Release(true)
		close(goOn)
		if got := c.number(); got != 1 {
			t.Errorf("got %d, want 1", got)
		}
	})
}

// Nothing is forgotten where many wake while one holds and releases all the time.
func TestHoldUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients, rounds = 8, 500
		given := make(chan *counter, 1)
		r := start(t, ws.Options{}, push(given, 0))
		var all sync.WaitGroup
		for range clients {
			c := r.dial()
			k := <-given
			all.Go(func() {
				for n := int64(1); n <= rounds; n++ {
					k.set(n)
					if got := c.number(); got != n {
						t.Errorf("got %d, want %d", got, n)
						return
					}
				}
			})
		}
		stop := make(chan struct{})
		var holding sync.WaitGroup
		holding.Go(func() {
			for spare := false; ; spare = !spare {
				select {
				case <-stop:
					return
				default:
				}
				r.endpoint.Hold()
				runtime.Gosched()
				r.endpoint.Release(spare)
			}
		})
		all.Wait()
		close(stop)
		holding.Wait()
	})
}

// TestCloseBesidePush closes a connection while the peer is slow to take what is pushed to it: he gets that, and then the close
// frame, with TLS too.
func TestCloseBesidePush(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l network = memnet.Listen()
				if secure {
					l = withTLS(t, l)
				}
				given, closing, ending := make(chan *counter, 1), make(chan struct{}), make(chan struct{})
				r := startOn(t, l, ws.Options{}, func(c *ws.Conn) error {
					k := &counter{conn: c}
					c.OnRoom(k.fill, nil)
					given <- k
					<-closing
					_ = c.Close()
					<-ending
					return nil
				})
				c := r.dial()
				(<-given).set(7)
				synctest.Wait()
				close(closing)
				synctest.Wait()
				close(ending)
				synctest.Wait()
				if got := c.number(); got != 7 {
					t.Errorf("%d was pushed, want 7", got)
				}
				if code, _ := c.farewell(); code != ws.CodeNormal {
					t.Errorf("closed with %d", code)
				}
			})
		})
	}
}

// TestGivenUpBesidePush gives a peer up that answers no ping, while something is being pushed to him that he reads later: then he gets
// the reason, with TLS too.
func TestGivenUpBesidePush(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l network = memnet.Listen()
				if secure {
					l = withTLS(t, l)
				}
				given := make(chan *counter, 1)
				r := startOn(t, l, ws.Options{PingEvery: time.Hour, IdleTimeout: 60 * time.Second}, push(given, 0))
				c := r.dial()
				k := <-given
				time.Sleep(59 * time.Second)
				for n := int64(1); len(r.ended) == 0; n++ { // he reads none of them
					k.set(n)
					time.Sleep(100 * time.Millisecond)
				}
				if code, reason := c.farewell(); code != ws.CodePolicy || !strings.Contains(reason, "answered no ping") {
					t.Errorf("closed with %d %q", code, reason)
				}
			})
		})
	}
}

// secured is a network with TLS.
type secured struct {
	network
	server, client *tls.Config
}

func withTLS(t *testing.T, l network) secured {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"memory"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(nil, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return secured{
		l, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}},
		&tls.Config{RootCAs: pool, ServerName: "memory"},
	}
}

func (s secured) Accept() (net.Conn, error) {
	c, err := s.network.Accept()
	if err != nil {
		return nil, err
	}
	return tls.Server(c, s.server), nil
}

func (s secured) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := s.network.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return tls.Client(c, s.client), nil
}

// Where what is pushed comes from may be set while somebody writes whom the keeper wanted to follow with a ping: then he looks whether there is something to push.
func TestOnRoomBesideWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := make(chan struct{})
		r := start(t, ws.Options{PingEvery: time.Second}, func(c *ws.Conn) error {
			written := make(chan error, 1)
			go func() { written <- c.Write(c.Seal(make([]byte, 1<<20), 0)) }()
			<-set
			k := &counter{conn: c}
			c.OnRoom(k.fill, k)
			if err := <-written; err != nil {
				return err
			}
			k.set(7)
			_, err := c.Next()
			return err
		})
		c := r.dial()
		time.Sleep(3 * time.Second) // a ping is due, and the turn is taken
		if _, text, err := c.ReadMessage(); err != nil || len(text) != 1<<20 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		close(set)
		if n := c.number(); n != 7 {
			t.Errorf("pushed was %d", n)
		}
	})
}
