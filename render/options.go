package render

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// View says from where a picture is taken.
type View string

// The views. All but FromCamera move so that what they are fitted to fills the picture. They are
// parallel projections: what is equally long and equally turned is equally long in the picture.
const (
	Iso        View = "iso"   // from the front, the left and above
	Front      View = "front" // towards -z: x to the right, y up
	Back       View = "back"  // towards +z
	Left       View = "left"  // towards +x: z to the right, y up
	Right      View = "right" // towards -x
	Top        View = "top"   // down: x to the right, z down
	FromCamera View = "camera"
	Sheet      View = "sheet" // iso, front, top and left in one picture
)

// Style says how objects are drawn.
type Style string

// The styles.
const (
	Shaded    Style = "shaded"
	Wireframe Style = "wireframe" // edges; those behind something are fainter
	IDs       Style = "ids"       // each object in a colour of its own
)

// Labels says what is written on objects.
type Labels string

// The labels.
const (
	NoLabels Labels = "none"
	LabelIDs Labels = "id"
	Names    Labels = "name" // the id, where there is no name
)

// Limits of a picture's size in pixels.
const (
	MinSide = 64
	MaxSide = 2048
)

// Options say how a scene is drawn. The zero value is an iso view of everything, 640×480, shaded,
// with shadows, without grid, axes and labels.
type Options struct {
	Width, Height int  // default 640 and 480
	View          View // default Iso
	Camera        *Camera
	Fit           []world.ID           // what the view shows whole; nil for everything. Ids that nobody has are passed over
	Reveal        bool                 // leave out what hides that, but for ground, and for the style Wireframe
	Open          map[world.ID]float64 // with Reveal: of what the view is fitted to, what is left out as well, from which height on, such as the roof of a house
	Cut           float64              // leave out what is so many metres above the lowest of what the view is fitted to; 0 for nothing. Ground stays
	Style         Style                // default Shaded
	NoShadows     bool
	Grid          bool // the ground at y 0 and a metre grid on it
	Axes          bool // the axes at the origin, and a scale
	Labels        Labels
	NoPanels      bool               // neither the texts, the notes nor the speeches of the scene
	Highlight     []world.ID         // are outlined, also where something hides them, and labelled
	Groups        map[world.ID]Group // of those that are highlighted: what is outlined with them, as one
	Coarse        bool               // one sample a pixel, not four: faster, with jagged edges
	Workers       int                // goroutines that draw; default 1
}

// Group is what belongs to an entity that may have no shape of its own.
type Group struct {
	Name  string // the entity's
	Parts map[world.ID]bool
}

// complete checks the options and fills in the defaults.
func (o Options) complete() (Options, error) {
	o.Width, o.Height = or(o.Width, 640), or(o.Height, 480)
	o.View, o.Style, o.Labels = or(o.View, Iso), or(o.Style, Shaded), or(o.Labels, NoLabels)
	o.Workers = min(max(o.Workers, 1), 16)
	switch {
	case min(o.Width, o.Height) < MinSide || max(o.Width, o.Height) > MaxSide:
		return o, fmt.Errorf("picture size: must be from %d to %d pixels each way, got %d×%d", MinSide, MaxSide, o.Width, o.Height)
	case !(o.Cut >= 0 && o.Cut < far):
		return o, fmt.Errorf("cut: must be from 0 to %g metres, got %g", float64(far), o.Cut)
	case o.View == FromCamera && o.Camera == nil:
		return o, fmt.Errorf("camera: the view %q needs one", FromCamera)
	}
	switch o.View {
	case Iso, Front, Back, Left, Right, Top, Sheet:
	case FromCamera:
		if err := o.Camera.check(); err != nil {
			return o, err
		}
	default:
		return o, fmt.Errorf("view: there is no view %q", o.View)
	}
	switch o.Style {
	case Shaded, Wireframe, IDs:
	default:
		return o, fmt.Errorf("style: there is no style %q", o.Style)
	}
	switch o.Labels {
	case NoLabels, LabelIDs, Names:
	default:
		return o, fmt.Errorf("labels: there are no labels %q", o.Labels)
	}
	return o, nil
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
