package agentskills

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/limina-mcp/limina/internal/yamlfile"
)

// The rules of https://agentskills.io/specification for the frontmatter.
const maxDescription = 1024

var skillName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

const maxName = 64

// readFrontmatter reads what stands between two lines of three hyphens at the top of a SKILL.md.
func (k *Skill) readFrontmatter(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	rest, opened := bytes.CutPrefix(text, []byte("---\n"))
	front, _, closed := bytes.Cut(rest, []byte("\n---\n"))
	if !opened || !closed {
		return errors.New("it does not begin with YAML between two lines of ---")
	}
	root, _, err := yamlfile.Parse(front)
	if err != nil {
		return fmt.Errorf("frontmatter: line %w", err)
	}
	object, err := root.AppendJSON(nil)
	if err != nil {
		return fmt.Errorf("frontmatter: line %w", err)
	}
	var known struct{ Name, Description string }
	if err := json.Unmarshal(object, &known); err != nil {
		return fmt.Errorf("frontmatter: %w", err)
	}
	switch {
	case known.Name != k.Name:
		return fmt.Errorf("frontmatter: the name is %q, that of the directory %q", known.Name, k.Name)
	case !skillName().MatchString(k.Name) || len(k.Name) > maxName:
		return fmt.Errorf("frontmatter: name %q: want 1 to %d of a-z, 0-9 and single hyphens inside", k.Name, maxName)
	case strings.TrimSpace(known.Description) == "" || utf8.RuneCountInString(known.Description) > maxDescription:
		return fmt.Errorf("frontmatter: description: want 1 to %d characters", maxDescription)
	}
	k.Description, k.Frontmatter = known.Description, object
	return nil
}
