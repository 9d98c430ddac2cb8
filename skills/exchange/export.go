package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/tracing"
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
	Entities []world.ID        `json:"entities,omitempty" validate:"max=1000" jsonschema_description:"Ids of the entities to export, each with what is below it. Default: everything."`
	File     *tracing.FileName `json:"file,omitempty" jsonschema_description:"Name of a file on the server to write, such as house.glb, instead of sending it. A file of this name is replaced. Only where the operator has given a folder. In the forms log and events there are two, with .manifest.json and .log.jsonl behind the name."`
	Form     string            `json:"form" validate:"oneof=glb log events" jsonschema:"default=glb" jsonschema_description:"glb: one file for programs that draw. log: two texts that are read line by line, an entity on each. events: two texts in the form of the original Limina engine, a call that builds the scene on each line. scene.import takes all of them."`
}

// ExportOut is the output of scene.export. The file stands beside it as a resource, if it was not written
// on the server.
type ExportOut struct {
	Revision uint64            `json:"revision" jsonschema_description:"The tick of the world that was exported."`
	Entities int               `json:"entities" jsonschema_description:"How many entities are in the file."`
	Bytes    int               `json:"bytes" jsonschema_description:"How large the file is."`
	SHA256   string            `json:"sha256" jsonschema_description:"Its sha256, in hexadecimal digits."`
	MIMEType string            `json:"mimeType" jsonschema_description:"What the file is: model/gltf-binary or application/jsonl."`
	File     *tracing.FileName `json:"file,omitempty" jsonschema_description:"Its name on the server, if it was written there."`
	Manifest registry.Object   `json:"manifest,omitempty" jsonschema_description:"Of a log, also of events: what it holds; scene.import wants it."`
	Note     string            `json:"note,omitempty" jsonschema_description:"What of the scene is not in the file as it looks here."`
}

// Export is scene.export. The world is locked only while its entities are copied.
func Export(d Deps) registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	return registry.Define(registry.Spec[ExportIn, ExportOut]{
		Name:  "scene.export",
		Title: "Export the scene",
		Description: "Get the world, or some entities with their children, as a GLB file (glTF 2.0), for Blender, game engines and web viewers, or to keep and bring back by scene.import; in the forms log and events as lines of text. " +
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
			done, err := d.Turns.Take(c)
			if err != nil {
				return out, err
			}
			defer done()
			doc, err := world.Read(d.World, c, func(v *world.View) (*gltf.Document, error) {
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
				doc, err := documentWithin(d.World, v, d.Meshes, in.Entities, in.most(), in.Form == "glb")
				if err == nil {
					out.Note = imported(v, doc)
				}
				return doc, err
			})
			if errors.Is(err, errFull) {
				return out, in.tooLarge()
			}
			if err != nil {
				return out, err
			}
			if in.Form != "glb" {
				return d.deliverLog(c, &in, out, doc, head)
			}
			data, err := gltf.Encode(doc)
			if err != nil {
				return out, err
			}
			sum := sha256.Sum256(data)
			out.Entities, out.Bytes, out.MIMEType, out.SHA256 = entities(doc), len(data), mimeGLB, hex.EncodeToString(sum[:])
			return d.deliver(c, &in, out, data)
		},
	})
}

// imported says which materials of a document are made of images, "" if none are.
func imported(v *world.View, doc *gltf.Document) string {
	var names []string
	for i := range doc.Materials {
		name := doc.Materials[i].Name
		if _, ok := material.SetOf(v, name); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return "the images of " + some(names) + " are not in the file: what is made of them has their mean colour, and looks as it does here only where material.import has been called"
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
func (d *Deps) deliverLog(c *registry.Call, in *ExportIn, out ExportOut, doc *gltf.Document, head Head) (ExportOut, error) {
	var log []byte
	var m Manifest
	var err error
	if in.Form == "log" {
		log, m, err = EncodeLog(doc, head)
	} else {
		who := c.Principal()
		log, m, err = EncodeEvents(doc, head, Signature{Actor: who.ID, Thread: who.Session, Time: c.Started()})
	}
	if err != nil {
		return out, err
	}
	manifest, err := json.Marshal(&m)
	if err != nil {
		return out, err
	}
	out.Entities, out.Bytes, out.MIMEType, out.SHA256, out.Manifest = m.Entities, m.Bytes, mimeLog, m.SHA256, manifest
	if len(log) > in.most() {
		return out, in.tooLarge()
	}
	if in.File != nil {
		out.File = in.File
		return out, d.write(file(string(*in.File)+logSuffix, log), file(string(*in.File)+manifestSuffix, manifest))
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
		return out, d.write(file(string(*in.File), data))
	}
	return out, c.Attach(registry.Embed(registry.Contents{
		URI: "limina://export/" + out.SHA256[:16] + ".glb", MIMEType: mimeGLB, Blob: data,
	}))
}
