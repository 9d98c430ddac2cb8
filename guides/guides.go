// Package guides has the Agent Skills that Limina serves: instructions for a model that works in it.
// They lie in files/, a directory each, and are part of the program.
package guides

import (
	"embed"
	"io/fs"

	"github.com/limina-mcp/limina/agentskills"
)

//go:embed files
var files embed.FS

// Load returns the skills. Their URIs begin with "skill://".
func Load() (*agentskills.Set, error) {
	tree, err := fs.Sub(files, "files")
	if err != nil {
		return nil, err
	}
	return agentskills.Load(tree, "skill://")
}
