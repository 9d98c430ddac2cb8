//go:build !race

package physics_test

// underRace is whether the race detector makes everything ten times as slow.
const underRace = false
