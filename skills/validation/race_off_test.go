//go:build !race

package validation_test

// worlds is how many are made of each kind.
const worlds = 100
