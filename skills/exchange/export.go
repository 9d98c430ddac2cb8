package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/skills/internal/slant"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// How large a file may be, in bytes.
const (
	MaxInline = 2 << 20   // … that is in the answer itself
	MaxFile   = 256 << 20 // … that is written on the server: for as long as it is made, it is in memory
)

// mimeGLB is the media type of GLB files.
const mimeGLB = "model/gltf-binary"

// ExportIn is the input of scene.export.
type ExportIn struct {
	Entities []world.ID  `json:"entities,omitempty" validate:"max=1000" jsonschema_description:"Ids of the entities to export, each with what is below it. Default: everything."`
	File     *files.Name `json:"file,omitempty" jsonschema_description:"Name of a file on the server to write, such as house.glb, instead of sending it. A file of this name is replaced. Only where the operator has given a folder; needs scene.write. In the forms log and events there are two, with .manifest.json and .log.jsonl behind the name."`
	Form     string      `json:"form" validate:"oneof=glb log events" jsonschema:"default=glb" jsonschema_description:"glb: one file for programs that draw. log: two texts that are read line by line, an entity on each. events: two texts in the form of the original Limina engine, a call that builds the scene on each line. scene.import takes all of them."`
}

// ExportOut is the output of scene.export. The file stands beside it as a resource, if it was not written
// on the server.
type ExportOut struct {
	Revision uint64          `json:"revision" jsonschema_description:"The tick of the world that was exported."`
	Entities int             `json:"entities" jsonschema_description:"How many entities are in the file."`
	Bytes    int             `json:"bytes" jsonschema_description:"How large the file is."`
	SHA256   string          `json:"sha256" jsonschema_description:"Its sha256, in hexadecimal digits."`
	MIMEType string          `json:"mimeType" jsonschema_description:"What the file is: model/gltf-binary or application/jsonl."`
	File     *files.Name     `json:"file,omitempty" jsonschema_description:"Its name on the server, if it was written there."`
	Manifest registry.Object `json:"manifest,omitempty" jsonschema_description:"Of a log, also of events: what it holds; scene.import wants it."`
	Note     string          `json:"note,omitempty" jsonschema_description:"What of the scene is not in the file as it looks here."`
}

// Export is scene.export. The world is locked only while its entities are copied.
func Export(d Deps) registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	return registry.Define(registry.Spec[ExportIn, ExportOut]{
		Name:  "scene.export",
		Title: "Export the scene",
		Description: "Get the world, or some entities with their children, as a GLB file (glTF 2.0), for Blender, game engines and web viewers, or to keep and bring back by scene.import; in the forms log and events as lines of text. Of zones, rules, panels, quests and what can be used a file has nothing: save.export keeps all. " +
			`The file comes beside the answer, or is written on the server if file names one. To only look at the world use scene.render. Example: {"entities":["ent_3"]}`,
		Keywords:    "download glb gltf model save blender",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Writes, // a file, where there is a folder for it
		Idempotent:  true,
		Slow:        true,
		Attaches:    true,
		Handle: func(c *registry.Call, in ExportIn) (ExportOut, error) {
			var out ExportOut
			var head Head
			if in.File != nil {
				if !c.Principal().Grants.Has("scene.write") {
					return out, registry.Errorf(registry.CodeForbidden, "missing permission: scene.write, to write a file on the server; without file the answer has it")
				}
				if err := c.Outward("file"); err != nil {
					return out, err
				}
			}
			done, err := d.Turns.Take(c)
			if err != nil {
				return out, err
			}
			defer done()
			x := writer{w: d.World, meshes: d.Meshes, houses: d.Houses, clips: d.Clips, physics: d.Physics, who: figure.Who{Agents: d.Agents, Physics: d.Physics}, room: in.most(), binary: in.Form == "glb"}
			if in.Form != "events" {
				x.library = d.Materials
			}
			names, err := world.Read(d.World, c, func(v *world.View) ([]string, error) {
				for _, id := range in.Entities {
					if !v.Exists(id) {
						return nil, v.Unknown(id)
					}
				}
				out.Revision = v.Tick()
				if in.Form != "glb" {
					sum := v.ContentHash()
					head = Head{out.Revision, hex.EncodeToString(sum[:])}
				}
				x.v = v
				defer func() { x.v = nil }()
				err := x.write(in.Entities)
				return imported(v, &x.doc), err
			})
			if errors.Is(err, errFull) {
				return out, in.tooLarge()
			}
			if err != nil {
				return out, err
			}
			if in.Form != "glb" {
				return d.deliverLog(c, &in, out, &x, names, head)
			}
			data, err := x.glb(c.Context(), &in, &out, names)
			if err != nil {
				return out, err
			}
			sum := sha256.Sum256(data)
			out.Entities, out.Bytes, out.MIMEType, out.SHA256 = entities(&x.doc), len(data), mimeGLB, hex.EncodeToString(sum[:])
			return d.deliver(c, &in, out, data)
		},
	})
}

// glb returns the file, with the images that lie on things if it may be so large; names are the materials that are made of any. It notes in the
// answer what is not in it.
func (x *writer) glb(ctx context.Context, in *ExportIn, out *ExportOut, names []string) ([]byte, error) {
	why := ""
	if len(x.coats) > 0 {
		doc, err := x.dressed(ctx, in.most())
		var data []byte
		if err == nil {
			data, err = gltf.Encode(doc)
		}
		switch {
		case err == nil && len(data) <= in.most():
			out.Note = shown.Notes(x.lacking(names, ""), x.triplanar(), slanted(doc), tooMuch(doc, data), x.unhung(), x.still())
			return data, nil
		case err != nil && !errors.Is(err, errFull):
			return nil, err
		}
		why, x.coats = in.why(in.most()), nil
	}
	data, err := gltf.Encode(&x.doc)
	out.Note = shown.Notes(x.lacking(names, why), slanted(&x.doc), tooMuch(&x.doc, data), x.unhung(), x.still())
	return data, err
}

// why says that a file would have more bytes with images than it may.
func (in *ExportIn) why(most int) string {
	why := fmt.Sprintf(", which would have more than %d bytes with them", most)
	if in.File == nil {
		why += " (name a file on the server as file, which may have more)"
	}
	return why
}

// log returns the log of what was written, with the images that lie on things if it may be so large and scene.import takes it; names are the
// materials that are made of any. It notes in the answer what is not in it.
func (x *writer) log(in *ExportIn, out *ExportOut, names []string, head Head) (log []byte, m Manifest, err error) {
	most, why := min(in.most(), limits().Bytes), ""
	if len(x.coats) > 0 {
		if x.imageBytes() <= most {
			log, m, err = encodeLog(&x.doc, head, x.materialLines())
		}
		if err != nil || log != nil && len(log) <= most {
			out.Note = shown.Notes(x.lacking(names, ""), x.unhung(), x.still())
			return log, m, err
		}
		why, x.coats = in.why(most), nil
	}
	out.Note = shown.Notes(x.lacking(names, why), x.unhung(), x.still())
	return EncodeLog(&x.doc, head)
}

// imported names the materials of a document that are made of images.
func imported(v *world.View, doc *gltf.Document) (names []string) {
	for i := range doc.Materials {
		name := doc.Materials[i].Name
		if _, ok := material.SetOf(v, name); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// lacking says of which of the materials that are made of images the file does not have them, and why; "" if it has all.
func (x *writer) lacking(names []string, why string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(x.coats, func(c coat) bool { return c.name == name })
	})
	if len(names) == 0 {
		return ""
	}
	return "the images of " + files.Some(names) + " are not in the file" + why + ": what is made of them has their mean colour, and looks as it does here only where material.import has been called"
}

// triplanar says which materials a GLB cannot lay as they are laid here; "" if there are none.
func (x *writer) triplanar() string {
	var names []string
	for i := range x.coats {
		if c := &x.coats[i]; c.set.Triplanar && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	if names == nil {
		return ""
	}
	return "the images of " + files.Some(names) + " are triplanar, for which GLB has no word: each face has them from the one side that it faces most"
}

// slanted says what of a file other programs slant, and a world does not; "" if nothing.
func slanted(doc *gltf.Document) string {
	n := 0
	for i := range doc.Nodes {
		if doc.Nodes[i].Mesh == gltf.None {
			continue
		}
		turned := world.Quat(doc.Nodes[i].Rotation)
		for above := doc.Nodes[i].Parent; above != gltf.None; above = doc.Nodes[above].Parent {
			if !slant.Keeps(turned, doc.Nodes[above].Scale) {
				n++
				break
			}
			turned = world.Quat(doc.Nodes[above].Rotation).Mul(turned)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d parts are turned below something that is scaled unevenly: here they are stretched along their own axes, and other programs slant them", n)
}

// tooMuch says that a file is one that scene.import does not take; "" if it does.
func tooMuch(doc *gltf.Document, data []byte) string {
	vertices, triangles, counted := 0, 0, map[*gltf.Geometry]bool{}
	for i := range doc.Meshes {
		for _, p := range doc.Meshes[i].Primitives {
			if !counted[p.Geometry] {
				counted[p.Geometry] = true
				vertices, triangles = vertices+len(p.Geometry.Positions), triangles+len(p.Geometry.Triangles)
			}
		}
	}
	most := fileLimits()
	if len(doc.Nodes) > most.Nodes {
		return fmt.Sprintf("scene.import does not take the file: it has %d nodes, of at most %d; to bring the scene back export parts of it, by entities", len(doc.Nodes), most.Nodes)
	}
	if len(data) <= most.Bytes && vertices <= most.Vertices && triangles <= most.Triangles {
		return ""
	}
	return fmt.Sprintf("scene.import does not take the file: it has %d bytes and %d vertices, of at most %d and %d; to bring the scene back use the form log", len(data), vertices, most.Bytes, most.Vertices)
}

// most is how many bytes the file may have.
func (in *ExportIn) most() int {
	if in.File != nil {
		return MaxFile
	}
	return MaxInline
}

// tooLarge is the refusal of a file that has more than that.
func (in *ExportIn) tooLarge() error {
	if in.File != nil {
		return registry.Errorf(registry.CodeCapacityExceeded, "a file may have %d bytes, this has more: name fewer entities", MaxFile)
	}
	return registry.Errorf(registry.CodeCapacityExceeded,
		"the file is too large, at most %d bytes can be sent: name fewer entities, or a file on the server", MaxInline)
}

// deliverLog writes a log and its manifest, or sends them.
func (d *Deps) deliverLog(c *registry.Call, in *ExportIn, out ExportOut, x *writer, names []string, head Head) (ExportOut, error) {
	var log []byte
	var m Manifest
	var err error
	if in.Form == "log" {
		log, m, err = x.log(in, &out, names, head)
	} else {
		out.Note = shown.Notes(x.lacking(names, ""), x.unhung(), x.still())
		who := c.Principal()
		log, m, err = EncodeEvents(&x.doc, head, Signature{Actor: who.ID, Thread: who.Session, Time: c.Started()})
	}
	if err != nil {
		return out, err
	}
	manifest, err := json.Marshal(&m)
	if err != nil {
		return out, err
	}
	if most := limits().Nodes; in.Form == "log" && m.Entities > most {
		out.Note = shown.Notes(out.Note, fmt.Sprintf("scene.import does not take the log: it has %d entities, of at most %d; to bring the scene back export parts of it, by entities", m.Entities, most))
	}
	out.Entities, out.Bytes, out.MIMEType, out.SHA256, out.Manifest = m.Entities, m.Bytes, mimeLog, m.SHA256, manifest
	if len(log) > in.most() {
		return out, in.tooLarge()
	}
	if in.File != nil {
		out.File = in.File
		return out, d.folder().Write(files.Of(string(*in.File)+logSuffix, log), files.Of(string(*in.File)+manifestSuffix, manifest))
	}
	uri := "limina://export/" + m.SHA256[:16]
	if err := c.Attach(registry.Embed(registry.Contents{URI: uri + manifestSuffix, MIMEType: "application/json", Text: string(manifest)})); err != nil {
		return out, err
	}
	return out, c.Attach(registry.Embed(registry.Contents{URI: uri + logSuffix, MIMEType: mimeLog, Text: string(log)}))
}

// What stands behind the name of a log's two files.
const (
	manifestSuffix = ".manifest.json"
	logSuffix      = ".log.jsonl"
)

// entities counts the nodes that are entities.
func entities(doc *gltf.Document) (n int) {
	for i := range doc.Nodes {
		if rec, err := recordOf(&doc.Nodes[i]); err == nil && rec.Entity != "" {
			n++
		}
	}
	return n
}

// deliver writes a file, or sends it.
func (d *Deps) deliver(c *registry.Call, in *ExportIn, out ExportOut, data []byte) (ExportOut, error) {
	if len(data) > in.most() {
		return out, in.tooLarge()
	}
	if in.File != nil {
		out.File = in.File
		return out, d.folder().Write(files.Of(string(*in.File), data))
	}
	return out, c.Attach(registry.Embed(registry.Contents{
		URI: "limina://export/" + out.SHA256[:16] + ".glb", MIMEType: mimeGLB, Blob: data,
	}))
}
