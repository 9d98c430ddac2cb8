// Package given has what a call gives take the place of what there is.
package given

// Set has to be what from points at. What is left out, nil, leaves it as it is.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
