package profiles

import (
	"fmt"
	"strings"
)

// Permission names one right, such as "scene.write": one or more words joined by dots, at most 64 bytes. A word starts
// with a lower-case letter and goes on with letters, digits, '-' and '_'.
type Permission string

// Anyone is what a skill that needs no permission must say. Everybody holds it; granting it has no effect.
const Anyone Permission = "anyone"

// maxName is the longest permission or profile name, in bytes.
const maxName = 64

// Check reports what is wrong with the permission's spelling. That nobody uses a permission is no error: packages and
// embedding programs bring their own.
func (p Permission) Check() error { return checkName("permission", string(p)) }

func checkName(what, s string) error {
	if len(s) > maxName {
		return fmt.Errorf("%s %.20q… has %d bytes, at most %d are allowed", what, s, len(s), maxName)
	}
	for word := range strings.SplitSeq(s, ".") {
		if !isWord(word) {
			return fmt.Errorf("%s %q is malformed: want words joined by dots, each a lower-case letter followed by letters, digits, '-' or '_', such as \"scene.write\"", what, s)
		}
	}
	return nil
}

func isWord(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		if !letter && !digit && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// mustCheck panics on a malformed permission: those that come from outside are to be checked before they get here.
func mustCheck(p Permission) {
	if err := p.Check(); err != nil {
		panic("profiles: " + err.Error())
	}
}
