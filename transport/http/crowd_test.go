package httpmcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// Of many who do not read what they are answered, those that have been sent something for longest are let go; who reads has his answer.
func TestUnreadAnswersAreBounded(t *testing.T) {
	text := strings.Repeat("x", 40<<10) // which is answered twice
	for name, accept := range map[string]string{"at once": "", "as one body": "Accept: application/json\r\nOrigin: http://localhost\r\n", "as events": "Accept: text/event-stream\r\n"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := serve(t, httpmcp.Options{MaxUnsent: 250 << 10})
				var callers []*caller
				for range 8 {
					c := dial(t, r.listener)
					c.inSession()
					c.head += accept
					c.send(c.request(echo(1, text)))
					synctest.Wait()
					callers = append(callers, c)
				}
				whole := 0
				for i, c := range callers {
					answer, err := http.ReadResponse(c.in, nil)
					if err != nil {
						continue // it was cut in its head
					}
					body, err := io.ReadAll(answer.Body)
					_ = answer.Body.Close()
					if err == nil && strings.Count(string(body), text) == 2 {
						if whole++; i < 5 {
							t.Errorf("the %d. of 8 has its answer, although there is no room for it", i+1)
						}
					}
				}
				if whole != 3 {
					t.Errorf("%d have their answer, want the last 3", whole)
				}
			})
		})
	}
}

// What was sent and not read is kept for those that come back, up to a bound that all sessions share.
func TestKeptStreamsAreBounded(t *testing.T) {
	text := strings.Repeat("x", 40<<10)
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{MaxKept: 250 << 10})
		var back []*http.Request
		for range 8 {
			c := dial(t, r.listener)
			c.inSession()
			_, id, _ := strings.Cut(c.head, "Mcp-Session-Id: ")
			id = strings.TrimSpace(id)
			c.head += "Accept: text/event-stream\r\n"
			c.send(c.request(echo(1, text)))
			answer, err := http.ReadResponse(c.in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(answer.Body); strings.Count(string(body), text) != 2 {
				t.Fatalf("answered %d bytes", len(body))
			}
			_ = answer.Body.Close()
			synctest.Wait()
			q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://limina/mcp", nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Header = http.Header{"Accept": {"text/event-stream"}, "Last-Event-Id": {"1-0"}, "Mcp-Session-Id": {id}}
			back = append(back, q)
		}
		for i, q := range back {
			answer, err := r.client.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if kept := strings.Contains(string(body), text); kept != (i >= 5) {
				t.Errorf("the stream of the %d. of 8 is kept: %v (%d)", i+1, kept, answer.StatusCode)
			}
		}
	})
}

// Of many whose bodies come and do not end, those that began first are given up; others are served.
func TestArrivingBodiesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{MaxArriving: 500 << 10})
		message := echo(1, strings.Repeat("x", 100<<10))
		var callers []*caller
		var rest []string
		for range 8 {
			c := dial(t, r.listener)
			c.inSession()
			q := c.request(message)
			c.send(q[:len(q)-10])
			synctest.Wait()
			callers, rest = append(callers, c), append(rest, q[len(q)-10:])
		}
		for i, c := range callers {
			c.send(rest[i])
			status, body, _ := c.answer()
			switch {
			case i < 4 && (status != http.StatusServiceUnavailable || !strings.Contains(body, "too much is arriving")),
				i >= 4 && status != http.StatusOK:
				t.Errorf("the %d. of 8: %d %.100s", i+1, status, body)
			}
		}
	})
}

// Whoever has much on its way, one way or the other, over many connections, has nothing given up of somebody else's, who has begun earlier and is slow.
func TestWhatIsOnItsWayIsSharedByOwner(t *testing.T) {
	const size = 100 << 10
	for name, tt := range map[string]struct {
		options httpmcp.Options
		accept  string
	}{
		"bodies":                {httpmcp.Options{MaxArriving: 500 << 10}, ""},
		"answers at once":       {httpmcp.Options{MaxUnsent: 850 << 10}, ""}, // which are twice as long
		"answers as one body":   {httpmcp.Options{MaxUnsent: 850 << 10}, "Accept: application/json\r\nOrigin: http://localhost\r\n"},
		"answers as events":     {httpmcp.Options{MaxUnsent: 850 << 10}, "Accept: text/event-stream\r\n"},
		"streams that are kept": {httpmcp.Options{MaxKept: 850 << 10}, "Accept: text/event-stream\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := serve(t, tt.options)
				var callers []*caller
				var rest, ids []string
				for i := range 8 {
					c := dial(t, r.listener)
					if i == 0 {
						c.head += "Authorization: ada\r\n"
					} else {
						c.head += "Authorization: eve\r\n"
					}
					c.inSession()
					_, id, _ := strings.Cut(c.head, "Mcp-Session-Id: ")
					id, _, _ = strings.Cut(id, "\r")
					c.head += tt.accept
					q := c.request(echo(1, strings.Repeat("x", size)))
					if tt.options.MaxArriving > 0 {
						c.send(q[:len(q)-10])
						rest = append(rest, q[len(q)-10:])
					} else {
						c.send(q)
					}
					if tt.options.MaxKept > 0 {
						answer, err := http.ReadResponse(c.in, nil)
						if err != nil {
							t.Fatal(err)
						}
						_, _ = io.Copy(io.Discard, answer.Body)
						_ = answer.Body.Close()
					}
					synctest.Wait()
					callers, ids = append(callers, c), append(ids, id)
				}
				for i, c := range callers {
					var answer *http.Response
					var err error
					if tt.options.MaxKept > 0 {
						q, e := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://limina/mcp", nil)
						if e != nil {
							t.Fatal(e)
						}
						q.Header = http.Header{"Authorization": {"eve"}, "Accept": {"text/event-stream"}, "Last-Event-Id": {"1-0"}, "Mcp-Session-Id": {ids[i]}}
						if i == 0 {
							q.Header.Set("Authorization", "ada")
						}
						answer, err = r.client.Do(q)
					} else {
						if rest != nil {
							c.send(rest[i])
						}
						answer, err = http.ReadResponse(c.in, nil)
					}
					has := false
					if err == nil {
						body, e := io.ReadAll(answer.Body)
						_ = answer.Body.Close()
						has = e == nil && strings.Contains(string(body), strings.Repeat("x", size))
					}
					if has != (i == 0 || i >= 5) {
						t.Errorf("the %d. of 8 is served: %v", i+1, has)
					}
				}
			})
		})
	}
}

// A body that is there counts until its message is served: who sends many whole ones at once does not have the server hold them all, and
// nothing that is being served is given up for others.
func TestBodiesThatWaitAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{MaxArriving: 300 << 10})
		serve := make(chan struct{})
		if err := r.core.Registry().Register(registry.Define(registry.Spec[echoIn, none]{
			Name: "demo.wait", Description: "Take its time.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(*registry.Call, echoIn) (out none, err error) {
				<-serve
				return out, nil
			},
		})); err != nil {
			t.Fatal(err)
		}
		message := strings.Replace(echo(1, strings.Repeat("x", 100<<10)), "demo_echo", "demo_wait", 1)
		var callers []*caller
		for range 4 {
			callers = append(callers, dial(t, r.listener).inSession())
		}
		for _, c := range callers {
			c.send(c.request(message))
			synctest.Wait()
		}
		for i, c := range callers[2:] {
			if status, body, _ := c.answer(); status != http.StatusServiceUnavailable || !strings.Contains(body, "too much is arriving") {
				t.Errorf("the %d. of 4: %d %.100s", 3+i, status, body)
			}
		}
		close(serve)
		for range 2 { // what is over is held no more
			for i, c := range callers[:2] {
				if status, body, _ := c.answer(); status != http.StatusOK || !strings.Contains(body, `"result"`) {
					t.Errorf("the %d. of 4: %d %.100s", 1+i, status, body)
				}
				c.send(c.request(message))
			}
		}
	})
}

// Where there are as many sessions as there may be, who has many makes room for who has few, and not the other way round, also where all of them are in use.
func TestNobodyHasAllSessions(t *testing.T) {
	t.Run("idle", func(t *testing.T) { testAllSessions(t, false) })
	t.Run("in use", func(t *testing.T) { testAllSessions(t, true) })
}

func testAllSessions(t *testing.T, inUse bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		const most = 12
		r := serve(t, httpmcp.Options{MaxSessions: most})
		opened := func(who string) (n int) {
			for range most {
				time.Sleep(time.Millisecond)
				c := dial(t, r.listener)
				c.head += "Authorization: " + who + "\r\n"
				c.send(c.request(open))
				status, _, h := c.answer()
				if status == http.StatusOK && inUse { // a call runs on, whether or not its client waits
					c.head += "Mcp-Session-Id: " + h.Get("Mcp-Session-Id") + "\r\n"
					c.send(c.request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":1000}}}`))
					synctest.Wait()
				}
				_ = c.conn.Close()
				if status == http.StatusOK {
					n++
				} else if status != http.StatusServiceUnavailable {
					t.Errorf("%s: %d", who, status)
				}
			}
			return n
		}
		for _, tt := range []struct {
			who  string
			want int
		}{
			{"ann", most},
			{"ann", 0},
			{"bob", 4}, // ann has 8 then
			{"ann", 0},
			{"cy", 2},
			{"ann", 0},
			{"bob", 0},
		} {
			if got := opened(tt.who); got != tt.want {
				t.Errorf("%s opens %d sessions, want %d", tt.who, got, tt.want)
			}
		}
	})
}
