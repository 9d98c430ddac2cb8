//go:build race

package race

// Enabled is whether the race detector is on: everything takes ten times as long, and allocates more.
const Enabled = true
