package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/internal/seldom"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
)

// Tier says which skills a standard client is shown. It may call all that it has the permissions
// for, shown or not.
type Tier uint8

// The tiers.
const (
	Published Tier = iota // the short list, which points to the rest
	All                   // every skill, in pages
)

// Options configure an [Mcp]. The zero value is useful.
type Options struct {
	// Profiles are what sessions can be opened with; default [profiles.Builtin]. Who replaces them, by [profiles.Set.Replace], says so by [Mcp.Reprofile].
	Profiles *profiles.Set
	// Profile is what a standard MCP session gets that has not asked for one ([Peer.Profile]); default
	// "builder.readWrite".
	Profile string
	// Allowed names the profiles that anybody may take; nil: all but those that review others. One that is
	// empty and not nil leaves none.
	Allowed []string
	// Held are profiles whose calls are reviewed: a standard peer that has one of them takes no other by [Peer.Profile], but those of its credential.
	Held []string
	// Tokens says what a token stands for, and false if it is no token; nil: none is. Its profiles
	// are open beside those that are Allowed. It may take its time: nobody else waits for it.
	Tokens func(token string) (c Credential, ok bool)
	// Approve decides on a call that is held for review, by the id that the caller got, as the person
	// at the caller's own client has answered: it runs the call, or drops it. nil: reviewers decide,
	// and clients are not asked.
	Approve func(ctx context.Context, id string, by *profiles.Principal, yes bool) registry.Result
	// Tools is what a standard client is shown.
	Tools Tier
	// PageSize is how many items one answer to a list (tools, resources, prompts, skills) holds for a standard client; default
	// 1,000, go-sdk's: there are clients that read the first page only.
	PageSize int
	// Attendance is told when a session was opened, by [Mcp.Open] or by a peer, and when one was closed; nil
	// for nobody. It must not block.
	Attendance func()
	// Presence is told when an agent's first session was opened, and when its last one was closed, in this order; nil for nobody.
	// Sessions for a single request, as stateless clients over HTTP have, do not count. It must not block, nor call the Mcp.
	Presence func(agent string, here bool)
	// Kept returns when all that calls have changed so far is kept, such as on a disk. It is called before an answer leaves, to a peer, of a
	// call that may have changed something: answers to several calls of one peer that are at hand leave together, after one wait. If it fails the
	// answers do not leave, and the connection ends. nil: answers wait for nothing. Calls in process never do.
	Kept func(context.Context) error
	// MaxRunning bounds the slow calls that one connection has running; default 64.
	MaxRunning int
	// MaxInputs bounds the bytes of the messages of all slow calls that are running or wait for their turn, each with 16 KiB more, and of all
	// subscriptions/listen that are open, and a KiB for each resource that is followed; default 256 MiB. Whoever calls, by whatever names of one token and over however many connections,
	// may have as much of it as is left for the others.
	MaxInputs int
	// MaxUnsent bounds the bytes that are being written to peers, or wait for it; default 256 MiB. Where it is more, of the connections of who has
	// most of it that which has had some for longest is ended with [ErrUnread]. What is short, up to 256 KiB of one connection, does not count.
	MaxUnsent int
	// State is what native peers may subscribe to, where their transport can push; nil: nothing.
	State *statesync.Hub
	// Guides returns Agent Skills for modern clients, when they are first asked for; nil: there are none.
	// Their files have to be resources of the registry.
	Guides func() *agentskills.Set
	// Name, Version and Instructions are what standard clients are told of the server; the defaults
	// are "limina", "0.0.0" and ten lines on how to build, or, for who may not, on what he may do.
	Name, Version, Instructions string
	// Title is what clients call the server where people read it; default "Limina", or, with a Name of the host's own, that.
	Title string
	// StateKey, of 32 bytes, seals what a modern client carries for the server between the rounds of
	// one request. Servers that answer for each other have the same; default a new one.
	StateKey []byte
	// Logger gets what peers must not see.
	Logger zerolog.Logger
}

// Check returns the error of [New] for options that name a profile that does not exist, nil if there is none: for who has much to do
// before New.
func (o *Options) Check() error {
	set := o.Profiles
	if set == nil {
		set = profiles.Builtin()
	}
	for _, of := range []struct {
		field string
		names []string
	}{{"Profile", []string{o.Profile}}, {"Allowed", o.Allowed}, {"Held", o.Held}} {
		for _, name := range of.names {
			if name == "" && of.field == "Profile" {
				continue
			}
			if _, err := set.Resolve(name); err != nil {
				return fmt.Errorf("mcp: Options.%s: %w", of.field, err)
			}
		}
	}
	return nil
}

// Mcp serves a registry's skills as tools. It is safe for concurrent use.
type Mcp struct {
	reg        *registry.Registry
	profiles   *profiles.Set
	opts       Options
	lists      toolLists
	scratch    sync.Pool // of *[]byte, for the outputs of calls in process and the answers to a read
	scratches  sync.Pool // of *scratch
	turns      *turns
	areas      *turns // of who reads a large area of the world
	modern     modern // the dialect
	seals      seals
	self       func() string // tells it from others with the same StateKey
	tasks      tasks
	watch      atomic.Pointer[string] // where people see the world, see [Mcp.Watch]
	play       atomic.Pointer[string] // … and play in it, see [Mcp.Play]
	unsent     *backlog.Bound
	keeping    keeping
	meters     meters
	banned     atomic.Pointer[bans]
	stands     func(*profiles.Principal) error // gone, for the registry
	reprofiled atomic.Bool                     // profiles may grant less than they did
	terms      atomic.Uint64                   // how often it has become other than it was who may be here, and what he may do
	notes      seldom.Notes                    // of sessions, for the log

	mu       sync.Mutex // guards sessions
	sessions map[string]*Session
	present  map[string]int // how many sessions that count each agent has
}

// New returns an Mcp over reg. It fails if the options name a profile that does not exist.
func New(reg *registry.Registry, o Options) (*Mcp, error) {
	if reg == nil {
		return nil, fmt.Errorf("mcp: no registry")
	}
	if o.Profiles == nil {
		o.Profiles = profiles.Builtin()
	}
	if o.Profile == "" {
		o.Profile = "builder.readWrite"
	}
	o.Allowed = slices.Clone(o.Allowed)
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.PageSize <= 0 {
		o.PageSize = 1000
	}
	if o.MaxRunning <= 0 {
		o.MaxRunning = 64
	}
	if o.Title == "" {
		o.Title = cmp.Or(o.Name, "Limina")
	}
	if o.Name == "" {
		o.Name = "limina"
	}
	if o.Version == "" {
		o.Version = "0.0.0"
	}
	if o.MaxUnsent <= 0 {
		o.MaxUnsent = 256 << 20
	}
	if o.MaxInputs <= 0 {
		o.MaxInputs = 256 << 20
	}
	sealed, err := newSeals(o.StateKey)
	if err != nil {
		return nil, err
	}
	m := &Mcp{
		reg: reg, profiles: o.Profiles, opts: o,
		lists:     toolLists{reg: reg, pageSize: o.PageSize, tier: o.Tools},
		scratch:   sync.Pool{New: func() any { return new([]byte) }},
		scratches: sync.Pool{New: func() any { return new(scratch) }},
		turns:     newTurns(runtime.GOMAXPROCS(0)),
		areas:     newTurns(max(runtime.GOMAXPROCS(0)-1, 1)), // one processor is left for all else
		seals:     sealed,
		self:      sync.OnceValue(rand.Text),
		unsent:    backlog.New(o.MaxUnsent),
		keeping:   keeping{limit: o.MaxInputs, own: map[string]int{}},
		sessions:  map[string]*Session{},
		present:   map[string]int{},
	}
	m.modern, m.stands = newModern(m), m.gone
	return m, nil
}

// Stats are figures for whoever watches the server.
type Stats struct {
	Sessions int // that are open
	Agents   int // who have one, those aside that only have some for a single request
	Waiting  int // connections that wait for their turn
}

// Stats returns figures.
func (m *Mcp) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Stats{Sessions: len(m.sessions), Agents: len(m.present), Waiting: m.turns.length()}
}

// Registry returns the registry that is served.
func (m *Mcp) Registry() *registry.Registry { return m.reg }
