//go:build race

package validation_test

// worlds is how many are made of each kind: few under the race detector, ten times as slow.
const worlds = 5
