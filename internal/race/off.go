//go:build !race

// Package race tells tests whether the race detector is on, so that those which only compute do less of it there. scripts/test runs them whole without.
package race

// Enabled is whether the race detector is on: everything takes ten times as long, and allocates more.
const Enabled = false
