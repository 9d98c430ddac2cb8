package exchange

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

const (
	eventsFormat  = "limina-scene-events"
	eventsVersion = 1
	maxApplied    = 5000    // calls that are made of one log; the trace keeps more
	maxEvent      = 4 << 20 // bytes of one line
)

// Signature says who exports, in what session and when: what events say of their origin.
type Signature struct {
	Actor, Thread string
	Time          time.Time
}

// EncodeEvents writes a document as a log of calls that make it: in the original engine's form, an event of
// the type skill.executed on each line, each chained to the one before. A box or sphere that stands for
// itself becomes calls of skills that both engines have; what those cannot say is in one call of
// scene.import at the end, which holds it in the form log. It fails if that is too long for a line.
func EncodeEvents(doc *gltf.Document, head Head, by Signature) (log []byte, m Manifest, err error) {
	w := eventWriter{by: by}
	written := make([]bool, len(doc.Nodes))
	for i, apart := range apartIn(doc) {
		if !apart {
			continue
		}
		if calls := callsFor(&doc.Nodes[i]); calls != nil && w.lines+len(calls) < maxApplied {
			if err := w.entity(calls); err != nil {
				return nil, m, err
			}
			written[i] = true
			m.Entities++
		}
	}
	if rest := without(doc, written); len(rest.Nodes) > 0 {
		inner, said, err := EncodeLog(rest, head)
		if err != nil {
			return nil, m, err
		}
		c := call{"scene.import", map[string]any{"form": "log", "log": string(inner), "manifest": said}, map[string]any{"entities": said.Entities}}
		if _, err = w.put(&c, nil); err != nil {
			return nil, m, err
		}
		m.Entities, m.Meshes = m.Entities+said.Entities, said.Meshes
	}
	log = w.log.Bytes()
	m.Format, m.Version, m.Lines, m.Head = eventsFormat, eventsVersion, w.lines, head
	m.Bytes, m.SHA256 = len(log), sumOf(log)
	return log, m, nil
}

// eventWriter writes events.
type eventWriter struct {
	by    Signature
	log   bytes.Buffer
	lines int
	last  *string // the hash of the event before
}

// entity writes the calls that make one: the first makes it, and is the cause of the others.
func (w *eventWriter) entity(calls []call) error {
	var causes []string
	for i := range calls {
		id, err := w.put(&calls[i], causes)
		if err != nil {
			return err
		}
		if causes == nil {
			causes = []string{id}
		}
	}
	return nil
}

func (w *eventWriter) put(c *call, causes []string) (id string, err error) {
	e := envelope{
		Type: eventExecuted, Actor: w.by.Actor, Thread: w.by.Thread, CausedBy: append([]string{}, causes...),
		Timestamp: w.by.Time.UTC().Format("2006-01-02T15:04:05.000Z"),
		Payload:   c,
	}
	if e.ID, err = eventID(w.lines, &e); err != nil {
		return "", err
	}
	hashed, err := generic(&e)
	if err != nil {
		return "", err
	}
	e.Integrity = &integrity{Previous: w.last}
	if w.last == nil {
		e.Integrity.Hash = hashOf(hashed, nil)
	} else {
		e.Integrity.Hash = hashOf(hashed, *w.last)
	}
	w.last = &e.Integrity.Hash
	from := w.log.Len()
	enc := json.NewEncoder(&w.log)
	enc.SetEscapeHTML(false)
	if err = enc.Encode(&e); err == nil && w.log.Len()-from > maxEvent {
		err = registry.Errorf(registry.CodeCapacityExceeded,
			"an event of the log would have %d bytes, at most %d are allowed: name fewer entities, or use the form log", w.log.Len()-from, maxEvent)
	}
	w.lines++
	return e.ID, err
}

// apartIn returns which nodes are entities with nothing above and nothing below them, on which nothing hangs.
func apartIn(doc *gltf.Document) []bool {
	apart := make([]bool, len(doc.Nodes))
	part := make([]bool, len(doc.Nodes)) // those that only show an entity
	at, carries := map[string]int{}, []string{}
	for i := range doc.Nodes {
		rec, err := recordOf(&doc.Nodes[i])
		apart[i] = err == nil && rec.Entity != "" && doc.Nodes[i].Parent == gltf.None
		part[i] = err == nil && rec.part()
		if apart[i] {
			at[rec.Entity] = i
		}
		if rec.HangsOn != "" {
			carries = append(carries, rec.HangsOn)
		}
	}
	for _, id := range carries {
		if i, ok := at[id]; ok {
			apart[i] = false
		}
	}
	for i := range doc.Nodes {
		if parent := doc.Nodes[i].Parent; parent != gltf.None && !part[i] {
			apart[parent] = false
		}
	}
	return apart
}

// without returns a document without some entities and the nodes that show them.
func without(doc *gltf.Document, out []bool) *gltf.Document {
	rest := &gltf.Document{Generator: doc.Generator, Meshes: doc.Meshes, Materials: doc.Materials, Lights: doc.Lights}
	at := make([]int, len(doc.Nodes))
	gone := func(i int) bool {
		parent := doc.Nodes[i].Parent
		return out[i] || parent != gltf.None && out[parent]
	}
	for i := range doc.Nodes {
		if !gone(i) {
			at[i] = len(rest.Nodes)
			rest.Nodes = append(rest.Nodes, doc.Nodes[i])
		}
	}
	for i := range rest.Nodes {
		if n := &rest.Nodes[i]; n.Parent != gltf.None {
			n.Parent = at[n.Parent]
		}
	}
	return rest
}

// creation is the input of scene.createEntity.
type creation struct {
	Shape       string     `json:"shape"`
	Size        float64    `json:"size"`
	Position    [3]float64 `json:"position"`
	Color       uint32     `json:"color"`
	Material    string     `json:"material,omitempty"`
	Collider    string     `json:"collider,omitempty"`
	Dynamic     bool       `json:"dynamic,omitempty"`
	Static      bool       `json:"static,omitempty"`
	Mass        float64    `json:"mass,omitempty"`
	Friction    *float64   `json:"friction,omitempty"`
	Restitution *float64   `json:"restitution,omitempty"`
}

// update is the input of ecs.updateComponent, and, without a value, of ecs.addComponent.
type update struct {
	Entity    string    `json:"entity"`
	Component string    `json:"component"`
	Value     []float64 `json:"value,omitempty"`
}

// look is the input of three.setMaterial.
type look struct {
	Entity        string   `json:"entity"`
	Material      string   `json:"material,omitempty"`
	PBR           bool     `json:"pbr,omitempty"`
	Color         *uint32  `json:"color,omitempty"`
	Roughness     *float64 `json:"roughness,omitempty"`
	Metalness     *float64 `json:"metalness,omitempty"`
	CastShadow    *bool    `json:"castShadow,omitempty"`
	ReceiveShadow *bool    `json:"receiveShadow,omitempty"`
}

// callsFor returns the calls that make an entity that looks, and collides, as a node says; nil if there are none.
func callsFor(n *gltf.Node) []call {
	rec, err := recordOf(n)
	s := rec.Shape
	if err != nil || s == nil || s.Kind != "box" && s.Kind != "sphere" || rec.Name != "" || rec.Light != nil || rec.Ground != nil || rec.Water != nil || rec.Joint != nil {
		return nil
	}
	in := creation{Shape: s.Kind, Size: 1, Position: n.Translation, Color: s.Color}
	scale := n.Scale
	if size := s.Size[0]; s.Size == (world.Vec3{size, size, size}) && size > 0 && size <= 50 {
		in.Size = size
	} else {
		for k := range scale {
			scale[k] *= s.Size[k]
			if !(scale[k] <= world.MaxNumber && scale[k] >= -world.MaxNumber) {
				return nil
			}
		}
	}
	if slices.ContainsFunc(rec.Tags, isEntity) {
		return nil // it would be taken for one
	}
	l := look{Entity: rec.Entity}
	if !in.collides(rec.Body) || !in.looks(rec.Material, &l) {
		return nil
	}
	calls := []call{{"scene.createEntity", &in, map[string]any{"entity": rec.Entity}}}
	then := func(skill string, input any) { calls = append(calls, call{skill, input, map[string]any{"ok": true}}) }
	if n.Rotation != [4]float64{0, 0, 0, 1} {
		then("ecs.updateComponent", &update{rec.Entity, "rotation", n.Rotation[:]})
	}
	if scale != [3]float64{1, 1, 1} {
		then("ecs.updateComponent", &update{rec.Entity, "scale", scale[:]})
	}
	if l != (look{Entity: rec.Entity}) {
		then("three.setMaterial", &l)
	}
	for _, tag := range rec.Tags {
		then("ecs.addComponent", &update{rec.Entity, tag, nil})
	}
	return calls
}

// collides gives what is created a body, and reports whether it can be had so.
func (in *creation) collides(b *world.Body) bool {
	if b == nil {
		return true
	}
	in.Dynamic, in.Static = b.Type == "dynamic", b.Type == "static"
	in.Collider, in.Mass, in.Friction, in.Restitution = b.Collider, b.Mass, &b.Friction, &b.Restitution
	return (in.Dynamic || in.Static) && b.Mass >= 0 && b.Mass <= 1e6 && b.Density == 0 // which the original does not know
}

// looks gives what is created a material, by what changes it if need be, and reports whether it can be had so.
func (in *creation) looks(m *world.Material, l *look) bool {
	if m == nil {
		return true
	}
	if m.Emissive != 0 { // which the original does not know
		return false
	}
	l.PBR, l.Color, l.Roughness, l.Metalness, l.CastShadow, l.ReceiveShadow = m.PBR, m.Color, m.Roughness, m.Metalness, m.CastShadow, m.ReceiveShadow
	if m.Name == "" {
		return true
	}
	if !material.IsBuiltin(m.Name) || m.Roughness == nil || m.Metalness == nil {
		return false
	}
	if m.Color != nil {
		l.Material = m.Name
		return true
	}
	in.Material = m.Name        // three.setMaterial would bring the material's colour,
	return in.Color != 0xffffff // as this would for white
}
