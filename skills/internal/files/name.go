package files

import "fmt"

// Name is the name of a file that a caller may choose: up to 100 letters, digits, dots, hyphens
// and underscores, the first one no dot. So it names no folder and no hidden file.
type Name string

const maxName = 100

// UnmarshalText takes a name that is allowed.
func (n *Name) UnmarshalText(text []byte) error {
	if len(text) == 0 || len(text) > maxName || text[0] == '.' {
		return errName(text)
	}
	for _, c := range text {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return errName(text)
		}
	}
	*n = Name(text)
	return nil
}

func errName(text []byte) error {
	return fmt.Errorf("must be 1 to %d letters, digits, dots, hyphens or underscores, the first no dot, got %.40q", maxName, text)
}

// MarshalText returns the name.
func (n Name) MarshalText() ([]byte, error) { return []byte(n), nil }

// JSONSchemaPattern describes the names that are allowed.
func (Name) JSONSchemaPattern() string {
	return fmt.Sprintf("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,%d}$", maxName-1)
}
