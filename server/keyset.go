package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

const (
	// keysFor is how old the issuer's keys may be when a token is checked: one that it has taken back, as somebody else has it, is good for no longer,
	// whether or not a token comes by a new one.
	keysFor = 5 * time.Minute
	// keysWait is how long a token waits for the issuer where the keys that are there may do.
	keysWait = 2 * time.Second
)

// keySet are the keys of an issuer. It has them anew now and then, and tells whether it was the issuer that failed, which go-oidc's do not. Where the issuer
// cannot be asked, the keys that it had are good.
type keySet struct {
	anew   func() oidc.KeySet // one that has no keys yet, and asks for them when they are needed
	wall   func() time.Time
	broken atomic.Pointer[fetch] // when the issuer last answered what was no keys; nil for never

	mu       sync.Mutex // guards what follows
	keys     oidc.KeySet
	made     moment        // keys
	renewing chan struct{} // closed when it is known what came of it; nil: they are not being made anew
}

func newKeySet(anew func() oidc.KeySet, wall func() time.Time) *keySet {
	return &keySet{anew: anew, wall: wall, keys: anew(), made: now(wall)}
}

// fresh returns keys by which a token can be checked, which are no older than they may be unless the issuer does not answer soon.
func (k *keySet) fresh(ctx context.Context, token string) oidc.KeySet {
	k.mu.Lock()
	keys, renewing := k.keys, k.renewing
	old := now(k.wall).isAfter(k.made, keysFor)
	if old && renewing == nil {
		renewing = make(chan struct{})
		k.renewing = renewing
		go k.renew(token)
	}
	k.mu.Unlock()
	if !old {
		return keys
	}
	enough := time.NewTimer(keysWait)
	defer enough.Stop()
	select {
	case <-renewing:
	case <-enough.C:
	case <-ctx.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys
}

// renew asks the issuer for its keys, for a token whoever has signed it.
func (k *keySet) renew(token string) {
	made, keys := now(k.wall), k.anew()
	_, err := keys.VerifySignature(context.Background(), token)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil || !strings.HasPrefix(err.Error(), "fetching keys ") { // it says so in no other way
		k.keys, k.made = keys, made
	}
	close(k.renewing)
	k.renewing = nil
}

// awayKey is the key of a *error in a context, which keySet sets.
type awayKey struct{}

// VerifySignature implements oidc.KeySet.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.fresh(ctx, token).VerifySignature(ctx, token)
	switch broken := k.broken.Load(); {
	case err != nil && strings.HasPrefix(err.Error(), "fetching keys oidc: failed to decode keys: "): // nor this
		err = fmt.Errorf("%w: %w", errAway, err)
		k.broken.Store(&fetch{time.Now(), err})
	case errors.Is(err, errSpared) && broken != nil && time.Since(broken.at) < fetchPause:
		err = broken.err
	}
	if away, ok := ctx.Value(awayKey{}).(*error); ok && errors.Is(err, errAway) {
		*away = err
	}
	return payload, err
}
