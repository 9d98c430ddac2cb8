// Package statesync keeps viewers up to date with the part of a world that they see.
package statesync
