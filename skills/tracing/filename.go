package tracing

import "fmt"

// FileName is the name of a file that a caller may choose: up to 100 letters, digits, dots, hyphens
// and underscores, the first one no dot. So it names no folder and no hidden file.
type FileName string

const maxFileName = 100

// UnmarshalText takes a name that is allowed.
func (n *FileName) UnmarshalText(text []byte) error {
	if len(text) == 0 || len(text) > maxFileName || text[0] == '.' {
		return errFileName(text)
	}
	for _, c := range text {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return errFileName(text)
		}
	}
	*n = FileName(text)
	return nil
}

func errFileName(text []byte) error {
	return fmt.Errorf("must be 1 to %d letters, digits, dots, hyphens or underscores, the first no dot, got %.40q", maxFileName, text)
}

// MarshalText returns the name.
func (n FileName) MarshalText() ([]byte, error) { return []byte(n), nil }

// JSONSchemaPattern describes the names that are allowed.
func (FileName) JSONSchemaPattern() string {
	return fmt.Sprintf("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,%d}$", maxFileName-1)
}
