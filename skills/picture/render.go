package picture

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// MaxFile bounds the file of a picture, in bytes: what a model reads costs.
const MaxFile = 70 << 10

// MaxObjects is how many shapes a world may have for a picture to be made of it.
const MaxObjects = 200_000

// RenderIn is the input of scene.render.
type RenderIn struct {
	View        string     `json:"view,omitempty" validate:"oneof=iso front back left right top sheet camera" jsonschema_description:"From where: iso is from the front left and above, front looks towards -z, left towards +x, sheet is iso, front, top and left in one picture and costs the same, camera is where the field camera says, or else what your own camera sees (camera.follow and the like), or your body's eyes. Default: iso, or camera if there is one."`
	Camera      *CameraIn  `json:"camera,omitempty" jsonschema_description:"Where the camera is, for the view camera. The other views move so that all shows."`
	CameraOf    string     `json:"cameraOf,omitempty" validate:"omitempty,max=256" jsonschema_description:"For the view camera: the id of an agent whose camera it is to be, in place of yours."`
	Fit         []world.ID `json:"fit,omitempty" validate:"max=100" jsonschema_description:"Ids of entities that fill the picture, with what is below them. Default: everything."`
	Reveal      bool       `json:"reveal,omitempty" jsonschema_description:"With fit: leave out what hides that, such as the walls and the roof of a house before what is in it. Of a house that is named itself its roof and its upper storeys are left out. Ground stays."`
	Cut         float64    `json:"cut,omitempty" validate:"gte=0,lte=10000" jsonschema_description:"With fit: leave out what is more than so many metres above the lowest point of that, but for ground. 1.5 with the view top is the floor plan of a house. 0, and if left out: nothing."`
	Style       string     `json:"style" validate:"oneof=shaded wireframe ids" jsonschema:"default=shaded" jsonschema_description:"shaded; wireframe shows edges, also hidden ones, and joints in pink: a rod along a hinge or a slider, a ball, a block for fixed; ids gives each entity a flat colour of its own."`
	Shadows     bool       `json:"shadows" jsonschema:"default=true" jsonschema_description:"Whether the sun throws shadows. They tell what stands on the ground and what floats."`
	Grid        bool       `json:"grid" jsonschema:"default=true" jsonschema_description:"Show the ground at y 0 with a metre grid, and rulers or axes with metres."`
	Labels      string     `json:"labels" validate:"oneof=none id name" jsonschema:"default=none" jsonschema_description:"Write on entities their ids, or their names. What is highlighted is labelled always."`
	Panels      bool       `json:"panels" jsonschema:"default=true" jsonschema_description:"Show the panels of ui.*: those in the world, which are smaller the farther away they are, and those of the screen; and what was said in the last 8 seconds, over who said it. false looks at what is behind them."`
	Highlight   []world.ID `json:"highlight,omitempty" validate:"max=20" jsonschema_description:"Ids of entities to outline in orange, with what is below them, also where something hides them."`
	Width       int        `json:"width" validate:"gte=64,lte=1280" jsonschema:"default=640" jsonschema_description:"Width in pixels."`
	Height      int        `json:"height" validate:"gte=64,lte=960" jsonschema:"default=480" jsonschema_description:"Height in pixels."`
	Format      string     `json:"format" validate:"oneof=auto png jpeg" jsonschema:"default=auto" jsonschema_description:"auto is PNG where that is small, else JPEG. png is JPEG, too, with a note, where a PNG would be larger than 71,680 bytes, as a file may be at most."`
	MaxEntities int        `json:"maxEntities" validate:"gte=0,lte=500" jsonschema:"default=40" jsonschema_description:"How many of the entities that show are listed, the largest first."`
}

// CameraIn is where a camera is.
type CameraIn struct {
	Position world.Vec3 `json:"position" jsonschema_description:"Where it is, x, y, z in metres: eyes are at y 1.7."`
	Target   world.Vec3 `json:"target" jsonschema_description:"What is in the middle of the picture, x, y, z in metres."`
	FOV      float64    `json:"fov" validate:"gte=1,lte=170" jsonschema:"default=60" jsonschema_description:"Field of view from the lower to the upper edge, in degrees."`
}

// RenderOut is the output of scene.render; the picture stands beside it.
type RenderOut struct {
	Revision uint64 `json:"revision" jsonschema_description:"The tick of the world that the picture shows: the number of its newest commit."`
	Width    int    `json:"width" jsonschema_description:"Width of the picture in pixels."`
	Height   int    `json:"height" jsonschema_description:"Height of the picture in pixels."`
	MIMEType string `json:"mimeType" jsonschema_description:"What the picture is: image/png or image/jpeg."`
	Bytes    int    `json:"bytes" jsonschema_description:"How large its file is."`
	Note     string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
	Views    []View `json:"views" jsonschema_description:"The views in the picture: four in a sheet, else one."`
}

// View is one view in a picture.
type View struct {
	View     string     `json:"view" jsonschema_description:"Which view it is."`
	Box      Box        `json:"box" jsonschema_description:"Where it is in the picture: x, y, width, height in pixels from the upper left corner."`
	Camera   CameraOut  `json:"camera" jsonschema_description:"From where it is seen."`
	Visible  int        `json:"visible" jsonschema_description:"How many entities show."`
	LeftOut  []world.ID `json:"leftOut,omitempty" jsonschema_description:"With reveal: what is left out because it hides what fits, or what is in that, at most 40."`
	Entities []Visible  `json:"entities" jsonschema_description:"Those that show, the largest first, at most maxEntities in all."`
}

// Box is x, y, width, height in pixels.
type Box [4]int

// CameraOut is where a view was seen from.
type CameraOut struct {
	Position       world.Vec3 `json:"position" jsonschema_description:"Where the camera is, in metres."`
	Target         world.Vec3 `json:"target" jsonschema_description:"What is in the middle of the view."`
	FOV            float64    `json:"fov,omitempty" jsonschema_description:"Field of view in degrees, of the view camera."`
	PixelsPerMetre float64    `json:"pixelsPerMetre,omitempty" jsonschema_description:"Scale of the other views, which have no perspective."`
}

// Visible is an entity that shows.
type Visible struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the entity."`
	Name   string   `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Box    Box      `json:"box" jsonschema_description:"The smallest box around what shows of it: x, y, width, height in pixels."`
	Pixels int      `json:"pixels" jsonschema_description:"How many pixels show it: much less than the box has means that something hides it."`
}

// Render is scene.render. The world is locked only while it is copied, unless the call is part of
// one that changes it. Pictures are drawn in turns, see [Source]: each takes a processor for a tenth of a second,
// and tens of megabytes.
func Render(s Source) registry.Skill {
	turns := &turns{all: cmp.Or(s.Turns, registry.NewTurns(0))}
	return registry.Define(registry.Spec[RenderIn, RenderOut]{
		Name:  "scene.render",
		Title: "See the world",
		Description: "Look at what you built: returns a picture of the world, and in text which entities show and where. At any hour there is enough light to see by; panels of the screen are in every view but sheet; panels false leaves all out. " +
			`Use it after building and before you say that you are done; view sheet shows four sides at once. For numbers use scene.inspect. Example: {"view":"sheet","labels":"id"} or, close up, {"fit":["ent_3","ent_4"],"highlight":["ent_4"]}`,
		Published:   true,
		Keywords:    "appearance see show screen visual camera",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Slow:        true,
		Attaches:    true,
		App:         s.App,
		Handle: func(c *registry.Call, in RenderIn) (RenderOut, error) {
			options, err := in.options(s.Cameras != nil)
			if err != nil {
				return RenderOut{}, err
			}
			done, err := turns.take(c)
			if err != nil {
				return RenderOut{}, err
			}
			defer done()
			var revision uint64
			var buried string
			scene, err := world.Read(s.World, c, func(v *world.View) (*render.Scene, error) {
				revision, buried = v.Tick(), in.buried(s, v)
				return in.scene(s, v, c.Principal(), &options)
			})
			if err != nil {
				return RenderOut{}, err
			}
			return in.draw(c, scene, options, revision, buried)
		},
	})
}

// scene copies what a view shows, and notes in options what of it the picture is of.
func (in *RenderIn) scene(s Source, v *world.View, p *profiles.Principal, options *render.Options) (*render.Scene, error) {
	for _, id := range slices.Concat(in.Fit, in.Highlight) {
		if !v.Exists(id) {
			return nil, v.Unknown(id)
		}
	}
	if n := s.World.Shapes.Len(v); n > MaxObjects {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "the world has %d shapes, at most %d can be drawn", n, MaxObjects)
	}
	hidden, err := in.look(s, v, p, options)
	if err != nil {
		return nil, err
	}
	fit := map[world.ID]bool{}
	for _, id := range in.Fit {
		collect(v, id, fit)
	}
	options.Fit = slices.Collect(maps.Keys(fit))
	if in.Reveal {
		options.Open = map[world.ID]float64{}
		for _, id := range in.Fit {
			s.open(v, id, options.Open)
		}
	}
	for _, id := range in.Highlight {
		if len(v.Children(id)) == 0 {
			continue
		}
		if options.Groups == nil {
			options.Groups = map[world.ID]render.Group{}
		}
		parts := map[world.ID]bool{}
		collect(v, id, parts)
		options.Groups[id] = render.Group{Name: v.Name(id), Parts: parts}
	}
	scene := s.without(v, cmp.Or(in.CameraOf, p.ID), hidden)
	if options.Style == render.Wireframe && s.Physics != nil {
		scene.Objects = append(scene.Objects, pins(s.Physics, v)...)
	}
	return scene, nil
}

// collect puts an entity and everything below it into a set.
func collect(v *world.View, id world.ID, set map[world.ID]bool) {
	if set[id] {
		return
	}
	set[id] = true
	for _, child := range v.Children(id) {
		collect(v, child, set)
	}
}

// options returns what the renderer is asked for, but for the camera if it is one that agents have.
func (in *RenderIn) options(cameras bool) (render.Options, error) {
	o := render.Options{
		Width: in.Width, Height: in.Height, View: render.View(in.View), Style: render.Style(in.Style),
		NoShadows: !in.Shadows, Grid: in.Grid, Axes: in.Grid, Labels: render.Labels(in.Labels), Highlight: in.Highlight, Reveal: in.Reveal, Cut: in.Cut, NoPanels: !in.Panels,
	}
	if in.CameraOf != "" && in.View == "" && in.Camera == nil {
		o.View = render.FromCamera
	}
	switch {
	case in.Reveal && len(in.Fit) == 0:
		return o, registry.Invalidf("reveal: is for what is named in fit, and nothing is")
	case in.Cut > 0 && len(in.Fit) == 0:
		return o, registry.Invalidf("cut: is measured from what is named in fit, and nothing is")
	case in.CameraOf != "" && (in.Camera != nil || o.View != render.FromCamera):
		return o, registry.Invalidf("cameraOf: is for the view \"camera\", in place of camera; leave one of them out")
	case in.CameraOf != "" && !cameras:
		return o, registry.Invalidf("cameraOf: nobody has a camera here")
	case in.Camera == nil && o.View == render.FromCamera && cameras:
		return o, nil
	case in.Camera == nil && o.View == render.FromCamera:
		return o, registry.Invalidf(`camera: the view "camera" needs it: {"position":[x,y,z],"target":[x,y,z]}`)
	case in.Camera == nil:
		return o, nil
	case in.View != "" && o.View != render.FromCamera:
		return o, registry.Invalidf("camera: only the view \"camera\" has one, the view %q finds its own place; leave one of them out", in.View)
	case in.Camera.Position.Dist(in.Camera.Target) < 1e-6:
		return o, registry.Invalidf("camera.target: must be another place than camera.position")
	}
	o.View = render.FromCamera
	o.Camera = &render.Camera{Position: in.Camera.Position, Target: in.Camera.Target, FOV: in.Camera.FOV}
	return o, nil
}

// draw makes the picture and says what it shows. buried is why that may be little.
func (in *RenderIn) draw(c *registry.Call, scene *render.Scene, o render.Options, revision uint64, buried string) (RenderOut, error) {
	if err := c.Context().Err(); err != nil {
		return RenderOut{}, err
	}
	pic, err := render.Draw(scene, o)
	if err != nil {
		return RenderOut{}, registry.Invalidf("%s", err)
	}
	file, note, err := in.encode(pic)
	if err != nil {
		return RenderOut{}, registry.Invalidf("%s", err)
	}
	out := RenderOut{Note: cmp.Or(buried, note), Revision: revision, Width: o.Width, Height: o.Height, MIMEType: file.MIME, Bytes: len(file.Data)}
	for i := range pic.Views {
		v := &pic.Views[i]
		out.Views = append(out.Views, viewOf(v, in.MaxEntities/len(pic.Views)))
		switch few := v.Hiders[:min(len(v.Hiders), mostHiders)]; {
		case in.Reveal:
			out.Views[i].LeftOut = few
		case out.Note == "" && len(few) > 0 && v.Shows < littleShows:
			out.Note = fmt.Sprintf("%v hides most of what is to fit, in the view %s: reveal true leaves out what is before it", few[0], v.View)
		}
	}
	return out, c.Attach(registry.Image(file.MIME, file.Data))
}

// encode makes the file of a picture, and says if it is not of the format that was asked for.
func (in *RenderIn) encode(pic *render.Picture) (file render.File, note string, err error) {
	file, err = pic.Encode(render.Format(in.Format), MaxFile)
	if err != nil && render.Format(in.Format) == render.PNG {
		note = fmt.Sprintf("format: as PNG the picture is larger than %d bytes, so it is a JPEG: make width and height smaller for a PNG", MaxFile)
		file, err = pic.Encode(render.JPEG, MaxFile)
	}
	return file, note, err
}

// Of what is to fit less than littleShows shows, if that is worth a word; of what hides it at most mostHiders are named.
const (
	littleShows = 0.4
	mostHiders  = 40
)

// viewOf says what a view shows, with at most limit entities.
func viewOf(s *render.Seen, limit int) View {
	v := View{View: string(s.View), Box: boxOf(s.Bounds), Visible: len(s.Objects)}
	v.Camera = CameraOut{Position: shown.Point(s.Camera.Position), Target: shown.Point(s.Camera.Target), FOV: s.Camera.FOV, PixelsPerMetre: shown.Number(s.Scale)}
	slices.SortStableFunc(s.Objects, func(a, b render.Visible) int { return cmp.Compare(b.Pixels, a.Pixels) })
	for _, o := range s.Objects[:min(limit, len(s.Objects))] {
		v.Entities = append(v.Entities, Visible{Entity: o.ID, Name: o.Name, Box: boxOf(o.Box), Pixels: o.Pixels})
	}
	return v
}

func boxOf(r image.Rectangle) Box { return Box{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} }
