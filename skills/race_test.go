//go:build race

package skills_test

// underRace says that the race detector is on.
const underRace = true
