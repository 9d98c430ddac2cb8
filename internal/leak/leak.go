// Package leak finds goroutines that tests leave behind. It is [goleak] with more patience: that gives those which are ending half a
// second, which on a busy machine is not much.
//
// [goleak]: https://pkg.go.dev/go.uber.org/goleak
package leak

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines may take to end. Only a test that fails waits for it.
const patience = 30 * time.Second

// Main runs the tests of a package, and fails where they pass and goroutines are left. It does not return.
func Main(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := find(); err != nil {
			fmt.Fprintf(os.Stderr, "tests leave goroutines behind: %v\n", err)
			code = 1
		}
	}
	os.Exit(code)
}

// Check fails the test if goroutines are left other than those that the options name.
func Check(t testing.TB, options ...goleak.Option) {
	t.Helper()
	if err := find(options...); err != nil {
		t.Error(err)
	}
}

func find(options ...goleak.Option) (err error) {
	for until := time.Now().Add(patience); ; {
		if err = goleak.Find(options...); err == nil || time.Now().After(until) {
			return err
		}
	}
}
