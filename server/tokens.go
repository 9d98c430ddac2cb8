package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/internal/yamlfile"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// minToken is the shortest token, in bytes: what is shorter can be guessed.
const minToken = 16

// Tokens say who may come in, and who may not. They keep no token, only its hash, and are safe for concurrent use.
type Tokens struct {
	mu    sync.Mutex // held while others take the place of those that are there; guards cores
	cores []*mcp.Mcp // of servers that have these tokens
	there atomic.Pointer[tokenTable]
}

// tokenTable is what a file says. It is immutable.
type tokenTable struct {
	byHash map[[sha256.Size]byte]token
	banned []string
}

// token is what one stands for, and takes that back.
type token struct {
	cred   mcp.Credential
	revoke context.CancelFunc
}

// tokenEntry names a token, or its hash, and what it stands for.
type tokenEntry struct {
	line                     int
	token, sha256, principal string
	profiles                 []string
}

// LoadTokens reads a file of tokens, YAML or JSON; known are the profiles that it may name:
//
//	tokens:
//	  - token: 3b1f0c2e9a7d4f60          # 16 characters at least …
//	    principal: ada                   # the agent id; "fleet-*" is any that begins with fleet-
//	    profiles: [builder.readWrite]    # the first is what a standard MCP session gets
//	  - sha256: 9f86d081884c7d65…        # … or its hash, in hex
//	    principal: grace
//	    profiles: [reviewer]
//	banned: [eve, "guest-7*"]            # agents that do not come in, whatever token they have; may be left out
func LoadTokens(path string, known *profiles.Set) (*Tokens, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseTokens(data, path, known)
}

// ParseTokens is LoadTokens for the text of a file; errors call it name.
func ParseTokens(data []byte, name string, known *profiles.Set) (*Tokens, error) {
	entries, banned, err := readTokens(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	if len(entries) == 0 && len(banned) == 0 {
		return nil, fmt.Errorf("%s: no tokens: want a list under the key tokens", name)
	}
	t := &tokenTable{byHash: map[[sha256.Size]byte]token{}, banned: banned}
	for i, e := range entries {
		hash, err := e.check(known)
		if err == nil {
			if _, twice := t.byHash[hash]; twice {
				err = fmt.Errorf("the token is there twice")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: tokens[%d]: %w", name, e.line, i, err)
		}
		good, revoke := context.WithCancel(context.Background())
		good.Done() // is made here, where tests' time is that of the world, and not where the first one asks
		t.byHash[hash] = token{mcp.Credential{Principal: e.principal, Profiles: e.profiles, Good: good}, revoke}
	}
	all := &Tokens{}
	all.there.Store(t)
	return all, nil
}

// serve has those who are banned not come in to what core serves, from now on.
func (t *Tokens) serve(core *mcp.Mcp) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Contains(t.cores, core) {
		return
	}
	t.cores = append(t.cores, core)
	if banned := t.there.Load().banned; len(banned) > 0 {
		keepOut(core, nil, banned)
	}
}

// keepOut has those who are banned now take the place of those who were, beside those whom the host has banned.
func keepOut(core *mcp.Mcp, were, are []string) {
	banned := slices.DeleteFunc(core.Banned(), func(agent string) bool { return slices.Contains(were, agent) || slices.Contains(are, agent) })
	core.Ban(append(banned, are...))
}

// Replace has those that a file says now take the place of those that it has said before. A token that stays, for the same principal and the same profiles, goes on
// as if nothing had happened. What another one has opened ends. It returns how many are new, and how many are good no longer; one that stands for something else now is both.
// So are those who are banned. by is not to be used any more.
func (t *Tokens) Replace(by *Tokens) (added, revoked int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old, next := t.there.Load(), by.there.Load()
	var gone []context.CancelFunc
	for hash, was := range old.byHash {
		if is, still := next.byHash[hash]; still && is.cred.Principal == was.cred.Principal && slices.Equal(is.cred.Profiles, was.cred.Profiles) {
			is.revoke()
			next.byHash[hash] = was
			continue
		}
		gone = append(gone, was.revoke)
	}
	t.there.Store(next) // before anybody whose connection ends comes again
	if !slices.Equal(old.banned, next.banned) {
		for _, core := range t.cores {
			keepOut(core, old.banned, next.banned)
		}
	}
	for _, revoke := range gone {
		revoke()
	}
	return len(next.byHash) - (len(old.byHash) - len(gone)), len(gone)
}

// Banned returns the agents that are not to come in, whatever token they have, in the form that Ban of an engine wants, which has what they have set up in its world rest, too: call that
// when the tokens have been read, and after [Tokens.Replace].
func (t *Tokens) Banned() []string { return slices.Clone(t.there.Load().banned) }

// readTokens returns the entries of a file, and the agents that it bans.
func readTokens(data []byte) (entries []tokenEntry, banned []string, err error) {
	fields, err := yamlfile.Fields(data, "tokens", "banned")
	if err != nil {
		return nil, nil, err
	}
	for _, f := range fields {
		if f.Key == "banned" {
			banned, err = readBanned(f)
		} else {
			entries, err = readEntries(f)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return entries, banned, nil
}

// readBanned returns the agents in a list.
func readBanned(f yamlfile.Field) ([]string, error) {
	items, err := f.Strings()
	if err != nil {
		return nil, err
	}
	agents := make([]string, len(items))
	for i, item := range items {
		if !isAgent(item.Text) {
			return nil, yamlfile.Errorf(item.Line, "banned[%d]: want an agent id, or the beginning of some and a *", i)
		}
		agents[i] = item.Text
	}
	return agents, nil
}

// isAgent reports whether a text is an agent id, or the beginning of some and a "*".
func isAgent(text string) bool {
	return text != "" && !strings.Contains(strings.TrimSuffix(text, "*"), "*")
}

// readEntries returns the entries in a list.
func readEntries(f yamlfile.Field) ([]tokenEntry, error) {
	items, err := f.List()
	if err != nil {
		return nil, err
	}
	entries := make([]tokenEntry, len(items))
	for i, item := range items {
		if entries[i], err = readToken(item, fmt.Sprintf("tokens[%d]", i)); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// readToken returns one entry; errors call it what.
func readToken(n yamlfile.Node, what string) (tokenEntry, error) {
	e := tokenEntry{line: n.Line()}
	if !n.IsMapping() { // what it is may be a token, and is not repeated
		return e, yamlfile.Errorf(n.Line(), "%s: want a mapping of principal, profiles and token or sha256", what)
	}
	fields, err := n.Mapping(what)
	if err != nil {
		return e, err
	}
	for _, f := range fields {
		key := f.Key
		f.Key = what + ": " + key
		switch key {
		case "token":
			e.token, err = f.Word()
		case "sha256":
			e.sha256, err = f.Word()
		case "principal":
			e.principal, err = f.Word()
		case "profiles":
			e.profiles, err = profileNames(f)
		default:
			err = yamlfile.Errorf(f.Line, "%s: unknown key %q, allowed: principal, profiles, sha256, token", what, key)
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// profileNames returns the names in a list.
func profileNames(f yamlfile.Field) ([]string, error) {
	items, err := f.Strings()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = item.Text
	}
	return names, nil
}

// check returns the hash of a token that is declared well.
func (e *tokenEntry) check(known *profiles.Set) (hash [sha256.Size]byte, err error) {
	if !isAgent(e.principal) {
		return hash, fmt.Errorf("principal: want an agent id, or the beginning of some and a *")
	}
	if len(e.profiles) == 0 {
		return hash, fmt.Errorf("profiles: want at least one")
	}
	for _, p := range e.profiles {
		if _, err := known.Resolve(p); err != nil {
			return hash, err
		}
	}
	switch {
	case (e.token == "") == (e.sha256 == ""):
		return hash, fmt.Errorf("want either token or sha256")
	case e.sha256 != "":
		raw, err := hex.DecodeString(e.sha256)
		if err != nil || len(raw) != sha256.Size {
			return hash, fmt.Errorf("sha256: want 64 hexadecimal digits")
		}
		return [sha256.Size]byte(raw), nil
	case len(e.token) < minToken:
		return hash, fmt.Errorf("token: want %d characters at least", minToken)
	case strings.TrimSpace(e.token) != e.token:
		return hash, fmt.Errorf("token: has spaces around it, which no header keeps")
	}
	return sha256.Sum256([]byte(e.token)), nil
}

// Credential returns what a token stands for, and false if it is none. It is what mcp.Options.Tokens
// wants.
func (t *Tokens) Credential(token string) (mcp.Credential, bool) {
	found, ok := t.there.Load().byHash[sha256.Sum256([]byte(token))]
	return found.cred, ok
}
