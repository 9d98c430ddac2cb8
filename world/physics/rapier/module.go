package rapier

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/limina-mcp/limina/internal/onecheck"
	"github.com/limina-mcp/limina/world/physics"
)

var _ physics.Open = (*Runtime)(nil).Open

// Where the module comes from; scripts/rapier fetches it again and compares.
const (
	Package = "@dimforge/rapier3d-deterministic"
	Version = "0.21.0"
	File    = "rapier_wasm3d_bg.wasm"
	SHA256  = "4e9890fd2df60072f9db06a33e4030221249c1b3687b722b2388c21f09e97551"
)

//go:embed rapier_wasm3d_bg.wasm.gz
var packed string

// unpack returns the module's bytes, after holding them against SHA256, as they are compiled: with fewer
// addresses to check than wazero would check in them.
func unpack() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader([]byte(packed)))
	if err != nil {
		return nil, fmt.Errorf("rapier: %w", err)
	}
	code, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("rapier: %w", err)
	}
	sum := sha256.Sum256(code)
	if got := hex.EncodeToString(sum[:]); got != SHA256 {
		return nil, fmt.Errorf("rapier: the module that is embedded has the sha256 %s, not that of %s %s", got, Package, Version)
	}
	if code, err = onecheck.Module(code); err != nil {
		return nil, fmt.Errorf("rapier: %w", err)
	}
	return code, nil
}

// maxPages bounds the memory of one engine: 1 GiB. An engine that wants more traps.
const maxPages = 1 << 14

// Runtime compiles the module, once, and makes engines of it. Its methods may be called
// concurrently. The zero Runtime is not usable; see [New].
type Runtime struct {
	// Told, if it is set before the first engine is opened, is told why what was compiled cannot be kept, or what was kept cannot be used: the next process
	// compiles anew, which takes some seconds; or, with [ErrDamaged], that it has been compiled anew, and is kept again. Physics works nevertheless.
	Told func(err error)

	dir string

	mu      sync.Mutex // guards what follows, and is held while compiling
	cache   wazero.CompilationCache
	runtime wazero.Runtime
	module  wazero.CompiledModule
	closed  bool
}

// New returns a runtime that has done nothing yet: it compiles when the first engine is opened.
// What it compiled it keeps in dir, so that the next process has it in a tenth of a second instead
// of some; "" is [CacheDir]. Where that cannot be written to nothing is kept, see [Runtime.Told].
func New(dir string) *Runtime {
	return &Runtime{dir: dir}
}

// CacheDir returns where compiled modules are kept, "" if this user has no such folder.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "limina", "wasm")
}

// compile makes the module ready, if it is not.
func (r *Runtime) compile(ctx context.Context) error {
	if r.closed {
		return fmt.Errorf("rapier: the runtime is closed")
	}
	if r.module != nil {
		return nil
	}
	code, err := unpack()
	if err != nil {
		return err
	}
	cache, damaged, unkept := r.openCache()
	if unkept == nil {
		if unkept = r.compileBy(ctx, code, cache); unkept == nil {
			r.cache = cache
			note(r.dir)
			if damaged != "" && r.Told != nil {
				r.Told(fmt.Errorf("%w: %s", ErrDamaged, damaged))
			}
			return nil
		}
		unkept = errors.Join(unkept, cache.Close(ctx))
		if ctx.Err() != nil {
			return fmt.Errorf("rapier: %w", unkept)
		}
	}
	if err := r.compileBy(ctx, code, nil); err != nil {
		return fmt.Errorf("rapier: %w", err)
	}
	if r.Told != nil {
		r.Told(unkept)
	}
	return nil
}

// compileBy compiles with a cache, nil for none. A full disk, or a file in the cache that is not what was written there, make it fail.
func (r *Runtime) compileBy(ctx context.Context, code []byte, cache wazero.CompilationCache) error {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages).WithDebugInfoEnabled(false)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	module, err := runtime.CompileModule(ctx, code)
	if err == nil {
		err = offer(ctx, runtime, module)
	}
	if err != nil {
		return errors.Join(err, runtime.Close(ctx))
	}
	r.runtime, r.module = runtime, module
	return nil
}

// Open makes an engine without bodies; it is a [physics.Open]. The first one compiles the module,
// or gets it from the cache, while others wait.
func (r *Runtime) Open(ctx context.Context, s physics.Settings) (physics.Engine, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.compile(ctx); err != nil {
		return nil, err
	}
	m, err := r.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(linear)), r.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("rapier: %w", err)
	}
	e := newEngine(m, s)
	if err := e.start(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// openCache returns the cache, and what was damaged in it and is gone now, or why there can be none.
func (r *Runtime) openCache() (cache wazero.CompilationCache, damaged string, err error) {
	if r.dir == "" {
		r.dir = CacheDir()
	}
	if r.dir == "" {
		return nil, "", errors.New("this user has no folder for what can be made anew")
	}
	if damaged, err = mend(r.dir); err != nil {
		return nil, "", fmt.Errorf("%s is damaged: %w", damaged, err)
	}
	cache, err = wazero.NewCompilationCacheWithDir(r.dir)
	return cache, damaged, err
}

// Close frees the module. Engines that are open must be closed before.
func (r *Runtime) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	ctx := context.Background()
	if r.runtime != nil {
		if err := r.runtime.Close(ctx); err != nil {
			return fmt.Errorf("rapier: %w", err)
		}
	}
	if r.cache != nil {
		if err := r.cache.Close(ctx); err != nil {
			return fmt.Errorf("rapier: %w", err)
		}
	}
	return nil
}
