package agentskills

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// What every host takes of one skill, by SEP-2640.
const (
	MaxFiles = 512
	MaxBytes = 16 << 20
)

// manifest is the file that makes a directory a skill.
const manifest = "SKILL.md"

// Set is a number of skills. It is immutable.
type Set struct {
	skills    []Skill
	dirs      map[string][]File // by URI
	resources []registry.Resource
}

// Skill is one skill.
type Skill struct {
	URI         string          // of its SKILL.md
	Name        string          // of its directory too
	Description string          // what it is good for
	Frontmatter json.RawMessage // of its SKILL.md, all of it, as a JSON object
	Files       []File          // all of them, by path: its SKILL.md and those of the skills inside it too
}

// Load reads all skills of a file system, of which every file has to belong to one. The URI of a
// file is root and its path; root ends in a slash.
func Load(fsys fs.FS, root string) (*Set, error) {
	s, err := load(fsys, root)
	if err != nil {
		return nil, fmt.Errorf("agent skills: %w", err)
	}
	return s, nil
}

func load(fsys fs.FS, root string) (*Set, error) {
	files, dirs, err := readTree(fsys, root)
	if err != nil {
		return nil, err
	}
	s := &Set{dirs: dirs}
	about := map[string]string{} // what a file is good for, by its URI
	for _, f := range files {
		if f.Name != manifest {
			continue
		}
		k, err := newSkill(f, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.URI, err)
		}
		s.skills = append(s.skills, k)
		for _, part := range k.Files {
			if about[part.URI] == "" {
				about[part.URI] = "Part of the skill " + k.Name + "."
			}
		}
	}
	for _, k := range s.skills {
		about[k.URI] = k.Description
	}
	for _, f := range files {
		if about[f.URI] == "" {
			return nil, fmt.Errorf("%s belongs to no skill", f.URI)
		}
		s.resources = append(s.resources, f.resource(about[f.URI]))
	}
	return s, nil
}

// Skills returns the skills, by path.
func (s *Set) Skills() []Skill { return s.skills }

// Skill returns the skill whose SKILL.md has a URI.
func (s *Set) Skill(uri string) (Skill, bool) {
	for _, k := range s.skills {
		if k.URI == uri {
			return k, true
		}
	}
	return Skill{}, false
}

// Directory returns what stands in a directory, by name: files and directories. It reports false if
// there is no such directory.
func (s *Set) Directory(uri string) ([]File, bool) {
	list, ok := s.dirs[uri]
	return list, ok
}

// Resources returns one resource for each file, which everybody may read.
func (s *Set) Resources() []registry.Resource { return s.resources }

// resource returns what reads the file.
func (f File) resource(about string) registry.Resource {
	label := f.Name
	if label == manifest {
		dir := strings.TrimSuffix(f.URI, "/"+manifest)
		label = dir[strings.LastIndexByte(dir, '/')+1:]
	}
	contents := registry.Contents{URI: f.URI, MIMEType: f.MIMEType}
	if f.text() {
		contents.Text = string(f.data)
	} else {
		contents.Blob = f.data
	}
	return registry.DefineResource(registry.ResourceSpec{
		URI: f.URI, Name: "skill", Label: label, Description: about, MIMEType: f.MIMEType, Size: int64(f.Size),
		Permissions: []profiles.Permission{profiles.Anyone},
		Read: func(*registry.Call, registry.Place) ([]registry.Contents, error) {
			return []registry.Contents{contents}, nil
		},
	})
}

// newSkill reads the skill that a SKILL.md makes of its directory.
func newSkill(f File, all []File) (Skill, error) {
	dir := strings.TrimSuffix(f.URI, "/"+manifest)
	k := Skill{URI: f.URI, Name: dir[strings.LastIndexByte(dir, '/')+1:]}
	if err := k.readFrontmatter(f.data); err != nil {
		return k, err
	}
	size := 0
	for _, part := range all {
		if strings.HasPrefix(part.URI, dir+"/") {
			k.Files = append(k.Files, part)
			size += part.Size
		}
	}
	if len(k.Files) > MaxFiles || size > MaxBytes {
		return k, fmt.Errorf("the skill has %d files of %d bytes, hosts take %d of %d", len(k.Files), size, MaxFiles, MaxBytes)
	}
	return k, nil
}
