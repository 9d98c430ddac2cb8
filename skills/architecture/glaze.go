package architecture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/registry"
)

// glaze reports what windows cannot be there, and where they can.
func (in *BuildingIn) glaze() error {
	all := bare(in)
	all["front"].holes = []hole{in.door()}
	names := map[string][]string{"front": {"the door"}} // of the holes
	for i := range in.Windows {
		w, at := &in.Windows[i], fmt.Sprintf("windows[%d]", i)
		wall := all[w.Wall]
		if most := nano(2 * wall.clear); w.Width > most {
			return registry.Invalidf("%s.width: must be at most %g, what the %s wall has between its corners, got %g", at, most, w.Wall, w.Width)
		}
		if w.Storey > in.Storeys {
			return registry.Invalidf("%s.storey: must be at most %d, how many storeys there are, got %d", at, in.Storeys, w.Storey)
		}
		if err := w.rises(at, in.Height); err != nil {
			return err
		}
		for storey := range w.storeys(in) {
			h := w.hole(storey, in)
			if err := w.stands(at, wall, names[w.Wall], h, storey); err != nil {
				return err
			}
			wall.holes, names[w.Wall] = append(wall.holes, h), append(names[w.Wall], at)
		}
	}
	return nil
}

// rises reports a window that is too high for walls of a height.
func (w *Window) rises(at string, height float64) error {
	sill, room := nano(height-w.Height), nano(height-w.Sill)
	switch {
	case nano(w.Sill+w.Height) <= nano(height):
		return nil
	case sill < 0:
		return registry.Invalidf("%s.height: must be at most %g, the height of the walls, with a sill of 0, got %g", at, height, w.Height)
	case room <= 0:
		return registry.Invalidf("%s.sill: must be at most %g for this height in walls %g high, got %g", at, sill, height, w.Sill)
	}
	return registry.Invalidf("%s.height: must be at most %g above a sill of %g in walls %g high, or its sill at most %g, got %g", at, room, w.Sill, height, sill, w.Height)
}

// stands reports a window that is in a corner of a wall or in a hole that it has, where it is the hole h of a storey; names are those of the holes.
func (w *Window) stands(at string, wall *wall, names []string, h hole, storey int) error {
	within := slices.IndexFunc(wall.holes, h.meets)
	if within < 0 && h.left >= -wall.clear && h.right <= wall.clear {
		return nil
	}
	which := w.Wall + " wall"
	if storey > 0 {
		which += fmt.Sprintf(" of storey %d", storey+1)
	}
	gaps := wall.gaps(h)
	if len(gaps) == 0 {
		return registry.Invalidf("%s.wall: the %s has no room from %g to %g above its floor; choose another wall, or another sill", at, which, w.Sill, nano(w.Sill+w.Height))
	}
	widest := slices.MaxFunc(gaps, func(a, b gap) int { return cmp.Compare(a.width(), b.width()) })
	if widest.width() < w.Width {
		return registry.Invalidf("%s.width: must be at most %g, with at %g, the widest gap left in the %s at its height, got %g",
			at, widest.width(), nano((widest.left+widest.right)/2), which, w.Width)
	}
	where, beside := wide(gaps, w.Width, w.At), ""
	if within >= 0 {
		beside = ", clear of " + names[within]
	}
	return registry.Invalidf("%s.at: must be %s for this width in the %s%s, got %g", at, where, which, beside, w.At)
}

// gap is a range along a wall, such as where it has no holes.
type gap struct{ left, right float64 }

func (g gap) width() float64 { return nano(g.right - g.left) }

func (g gap) meets(o gap) bool { return g.left < o.right && o.left < g.right }

func (g gap) touches(o gap) bool { return g.left <= o.right && o.left <= g.right }

// without returns what is left of it between others, from left to right.
func (g gap) without(taken []gap) (list []gap) {
	slices.SortFunc(taken, func(a, b gap) int { return cmp.Compare(a.left, b.left) })
	left := g.left
	for _, o := range taken {
		if o.left > left {
			list = append(list, gap{left, o.left})
		}
		left = max(left, o.right)
	}
	if left < g.right {
		list = append(list, gap{left, g.right})
	}
	return list
}

// gaps returns where a wall has room at the height of h, from left to right.
func (w *wall) gaps(h hole) []gap {
	h.left, h.right = -w.clear, w.clear
	var taken []gap
	for _, o := range w.holes {
		if o.meets(h) {
			taken = append(taken, gap{o.left, o.right})
		}
	}
	return gap{h.left, h.right}.without(taken)
}

// wide writes where among gaps, one of which is wide enough, the middle of something of a width may be: the nearest on either side of where it is.
func wide(gaps []gap, width, at float64) string {
	var before, after string
	for _, g := range gaps {
		if g.width() < width {
			continue
		}
		from, to := nano(g.left+width/2), nano(g.right-width/2)
		text := fmt.Sprintf("from %g to %g", from, to)
		if from >= to {
			text = fmt.Sprintf("%g", from)
		}
		if from <= at {
			before = text
		} else if after == "" {
			after = text
		}
	}
	if before == "" || after == "" {
		return before + after
	}
	return before + " or " + after
}
