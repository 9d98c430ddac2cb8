package wire

// Nearest returns the name among names that a writer of got most likely meant, or
// "" if none is near.
func Nearest(got string, names []string) string { return "" }
