package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/world"
)

// mostListed is how many ids an answer lists.
const mostListed = 500

// ImportIn is the input of scene.import.
type ImportIn struct {
	Data     string          `json:"data,omitempty" jsonschema_description:"The GLB file, in base64."`
	File     *files.Name     `json:"file,omitempty" jsonschema_description:"Name of a GLB file on the server, instead of data. Only where the operator has given a folder."`
	SHA256   string          `json:"sha256,omitempty" validate:"omitempty,len=64" jsonschema_description:"What the sha256 of the file must be, in hexadecimal digits. Another file is refused, so that a replay of this call cannot become another world."`
	Form     string          `json:"form" validate:"oneof=glb log events" jsonschema:"default=glb" jsonschema_description:"What file is: a GLB file, or, with .manifest.json and .log.jsonl behind the name, a log. events: log or file is a world log of the original Limina engine; the calls in it that build scenes are made again, with your permissions."`
	Log      string          `json:"log,omitempty" jsonschema_description:"The log that scene.export has made in the form log or events, instead of data."`
	Manifest registry.Object `json:"manifest,omitempty" jsonschema_description:"For log: its manifest. In the form events it may be left out."`
	Parent   world.ID        `json:"parent,omitempty" jsonschema_description:"Entity below which everything is put, in its space. Default: the world."`
}

// ImportOut is the output of scene.import.
type ImportOut struct {
	Entities int        `json:"entities" jsonschema_description:"How many entities were made."`
	Roots    []world.ID `json:"roots" jsonschema_description:"Ids of those that have no parent in the file; at most 500 are listed. Destroying them takes everything out again."`
	IDs      []Renamed  `json:"ids" jsonschema_description:"Which id has become which, where the file says: it does if scene.export wrote it. At most 500 are listed."`
	More     int        `json:"more,omitempty" jsonschema_description:"How many of ids are not listed."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What in the file could not be kept as it was, if anything."`
	Applied  int        `json:"applied,omitempty" jsonschema_description:"Of events: how many calls were made."`
	Skipped  []Skipped  `json:"skipped,omitempty" jsonschema_description:"Of events: what was passed over."`
	Chain    string     `json:"chain,omitempty" jsonschema_description:"Of events: verified if the hashes in the log are right, linked if only their order could be seen to be, none if there are none."`
}

// Renamed says what an id has become.
type Renamed struct {
	Was string   `json:"was" jsonschema_description:"Id in the file."`
	Now world.ID `json:"now" jsonschema_description:"Id in this world."`
}

// Import is scene.import.
func Import(d Deps) registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	return registry.Define(registry.Spec[ImportIn, ImportOut]{
		Name:  "scene.import",
		Title: "Import a scene",
		Description: "Add what is in a GLB file (glTF 2.0) to the world: its nodes become entities with their names, parents and transforms, its meshes shapes, its textures materials of images that lie on them as in the file, its lights lamps. What scene.export wrote comes back as it was, with new ids: things to be seen, not the rules of a game, which save.import brings. " +
			`Animations and compressed files are not read. All of it is added or, if something is wrong, nothing. Example: {"file":"house.glb"}`,
		Keywords:    "upload glb gltf model blender mesh",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Slow:        true,
		Handle: func(c *registry.Call, in ImportIn) (ImportOut, error) {
			if in.Form == "events" {
				return d.importEvents(c, &in)
			}
			given, err := d.Turns.Take(c)
			if err != nil {
				return ImportOut{}, err
			}
			from, err := func() (*incoming, error) {
				defer given()
				return d.document(c, &in)
			}()
			if err != nil {
				return ImportOut{}, err
			}
			return world.Do(d.World, c, func(tx *world.Tx) (ImportOut, error) {
				if in.Parent != 0 && !tx.Exists(in.Parent) {
					return ImportOut{}, tx.Unknown(in.Parent)
				}
				done, err := d.insert(tx, from, in.Parent)
				if err != nil {
					return ImportOut{}, err
				}
				return answer(&done), nil
			})
		},
	})
}

// incoming is a scene that was read.
type incoming struct {
	doc       *gltf.Document
	where     places
	dressings []dressing                 // the materials that come with it
	forms     map[*gltf.Geometry]centred // of meshes that other programs have written
}

// document reads what a caller gives or names.
func (d *Deps) document(c *registry.Call, in *ImportIn) (*incoming, error) {
	if in.Log != "" || in.Manifest != nil || in.Form == "log" {
		r, err := d.log(in)
		if err != nil {
			return nil, err
		}
		return &incoming{doc: &r.doc, where: r.where, dressings: r.dressings}, nil
	}
	data, err := d.load(in)
	if err != nil {
		return nil, err
	}
	from, err := d.file(c, data)
	if err != nil {
		return nil, registry.Invalidf("the file cannot be imported: %s", err)
	}
	return from, nil
}

// file reads a GLB file.
func (d *Deps) file(c *registry.Call, data []byte) (*incoming, error) {
	most := fileLimits()
	if d.Materials == nil {
		most.Images = 0
	}
	doc, err := gltf.Decode(data, most)
	if err != nil {
		return nil, err
	}
	if doc.Generator == generator { // only ground has colours at its vertices, which is made anew
		doc.Lost = slices.DeleteFunc(doc.Lost, func(what string) bool { return strings.HasSuffix(what, gltf.UnshownColors) })
	}
	from := &incoming{doc: doc, where: inFile}
	if from.dressings, err = d.fitted(c, doc); err != nil {
		return nil, err
	}
	from.forms, err = center(c.Context(), d.Meshes, doc)
	return from, err
}

// insert adds a scene that was read, with its materials, to the world.
func (d *Deps) insert(tx *world.Tx, from *incoming, parent world.ID) (Inserted, error) {
	worn, lost, err := d.dress(tx, from.dressings)
	if err != nil {
		return Inserted{}, err
	}
	done, err := insert(tx, d, from, parent, worn)
	done.Lost = slices.Concat(from.doc.Lost, lost, done.Lost)
	return done, err
}

// texts returns the log and the manifest that a caller gives or names; the manifest, if it need not be there, may be nil.
func (d *Deps) texts(in *ImportIn, need bool) (log, manifest []byte, err error) {
	switch {
	case in.Data != "":
		return nil, nil, registry.Invalidf("data: is for GLB files; a log stands in log")
	case in.File != nil && (in.Log != "" || in.Manifest != nil):
		return nil, nil, registry.Invalidf("log: give either log and manifest or file, not both")
	case in.File == nil:
		return []byte(in.Log), []byte(in.Manifest), nil
	}
	if need || d.folder().Has(string(*in.File)+manifestSuffix) {
		if manifest, err = d.read("file", string(*in.File)+manifestSuffix, 64<<10); err != nil {
			return nil, nil, err
		}
	}
	log, err = d.read("file", string(*in.File)+logSuffix, limits().Bytes)
	return log, manifest, err
}

// log reads a log that a caller gives or names.
func (d *Deps) log(in *ImportIn) (*logReader, error) {
	log, manifest, err := d.texts(in, true)
	switch {
	case err != nil:
		return nil, err
	case in.File == nil && (in.Log == "" || in.Manifest == nil):
		return nil, registry.Invalidf("manifest: a log is given together with its manifest, or named as file with the form log")
	}
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return nil, registry.Invalidf("manifest: %s", err)
	}
	if m.Format == eventsFormat {
		return nil, registry.Invalidf("form: must be events for a log of this manifest, whose format is %s", eventsFormat)
	}
	if in.SHA256 != "" && !strings.EqualFold(in.SHA256, m.SHA256) {
		return nil, registry.Invalidf("sha256: the log has %.64s", m.SHA256)
	}
	return readLog(log, &m)
}

// eventLog returns a log of events that a caller gives or names. Its manifest is looked at only if it is one of
// Limina's own, because nothing says what is in others.
func (d *Deps) eventLog(in *ImportIn) ([]byte, error) {
	log, manifest, err := d.texts(in, false)
	switch {
	case err != nil:
		return nil, err
	case in.File == nil && in.Log == "":
		return nil, registry.Invalidf("log: give the log, or name one on the server as file")
	case in.SHA256 != "" && !strings.EqualFold(in.SHA256, sumOf(log)):
		return nil, registry.Invalidf("sha256: the log has %s", sumOf(log))
	case manifest == nil:
		return log, nil
	}
	var m struct{ Format any }
	if err := json.Unmarshal(manifest, &m); err != nil {
		return nil, registry.Invalidf("manifest: %s", err)
	}
	if m.Format != eventsFormat {
		return log, nil
	}
	var own Manifest
	if err := json.Unmarshal(manifest, &own); err != nil {
		return nil, registry.Invalidf("manifest: %s", err)
	}
	return log, own.holds(log, eventsFormat, eventsVersion)
}

// load returns the file that a caller gives or names.
func (d *Deps) load(in *ImportIn) (data []byte, err error) {
	switch {
	case in.Data != "" && in.File != nil:
		return nil, registry.Invalidf("data: give either data or file, not both")
	case in.File != nil:
		data, err = d.read("file", string(*in.File), fileLimits().Bytes)
	case in.Data != "":
		if data, err = base64.StdEncoding.DecodeString(in.Data); err != nil {
			err = registry.Invalidf("data: must be base64: %s", err)
		}
	default:
		return nil, registry.Invalidf("data: give the GLB file in base64, or the name of one on the server as file")
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); in.SHA256 != "" && !strings.EqualFold(in.SHA256, hex.EncodeToString(sum[:])) {
		return nil, registry.Invalidf("sha256: the file has %x", sum)
	}
	return data, nil
}

// answer says what was made, in the order in which it was.
func answer(done *Inserted) ImportOut {
	out := ImportOut{Entities: len(done.Entities), Roots: done.Roots[:min(len(done.Roots), mostListed)], Note: note(done.Lost)}
	for was, now := range done.Now {
		out.IDs = append(out.IDs, Renamed{was, now})
	}
	slices.SortFunc(out.IDs, func(a, b Renamed) int { return int(a.Now) - int(b.Now) })
	out.IDs, out.More = listed.Cut(out.IDs, mostListed)
	return out
}
