package render

import (
	"cmp"
	"image"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Speech is what somebody says: words in a bubble over his head. Pictures of the style [Shaded] have those whose heads show, but for the view [Sheet],
// with letters of one size however far away he is; where two would overlap that of who is farther away is moved up, or left out.
type Speech struct {
	ID    world.ID // who says it; 0 for nobody in particular
	Head  Vec3     // the top of his head
	Lines []string
}

const (
	speechMost   = 12 // bubbles in a view
	speechLines  = 4
	speechWide   = 34 // letters of a line
	speechPad    = 5  // pixels from the letters to the edge
	speechTail   = 9  // pixels from the bubble to the head, where it is not moved up
	speechRound  = 6  // pixels that the corners are round
	speechRaised = 5  // times that one is moved up, at most, by its height
)

// bubble is a speech in a picture.
type bubble struct {
	head  end
	lines []string
	area  image.Rectangle
}

// speeches draws the bubbles, those that are raised behind the others.
func (p *pen) speeches() {
	var all []bubble
	size := p.d.img.Rect.Size()
	for _, s := range p.d.scene.Speeches {
		head, ok := p.d.spot(s.Head)
		if !ok || len(s.Lines) == 0 || p.d.hidden(head) || head.x < 0 || head.y < 0 || head.x >= float64(size.X) || head.y >= float64(size.Y) {
			continue
		}
		all = append(all, bubble{head: head, lines: s.Lines})
	}
	slices.SortStableFunc(all, func(a, b bubble) int { return cmp.Compare(b.head.near, a.head.near) })
	placed := all[:0]
	for _, b := range all {
		lines := slices.Clone(b.lines[:min(len(b.lines), speechLines)])
		wide := 0
		for i, line := range lines {
			if i == speechLines-1 && len(b.lines) > speechLines {
				line = clip(line, speechWide-3) + "..."
			}
			lines[i] = clip(line, speechWide)
			wide = max(wide, textWidth(lines[i]))
		}
		area, ok := p.room(b.head, image.Pt(wide+2*speechPad, lineHeight*len(lines)+2*speechPad), placed)
		if !ok {
			continue
		}
		placed = append(placed, bubble{b.head, lines, area})
		if len(placed) == speechMost {
			break
		}
	}
	for _, b := range slices.Backward(placed) {
		p.bubble(b.area, b.head)
		for i, line := range b.lines {
			p.write(b.area.Min.X+(b.area.Dx()-textWidth(line))/2, b.area.Min.Y+speechPad+i*lineHeight, line, inkColor, paperColor, 0)
		}
		p.taken = append(p.taken, b.area)
	}
}

// room returns where a bubble of a size goes that belongs to a head: over it, or so far to a side that it still points at it, or above those that are
// there already. ok is false where there is no room.
func (p *pen) room(head end, size image.Point, placed []bubble) (area image.Rectangle, ok bool) {
	width := p.d.img.Rect.Dx()
	y := max(int(head.y)-speechTail-size.Y, 2)
	for range speechRaised {
		above := y
		for _, aside := range [...]int{0, size.X * 2 / 5, -size.X * 2 / 5} {
			x := min(max(int(head.x)-size.X/2+aside, 2), max(width-size.X-2, 2))
			area = image.Rectangle{Max: size}.Add(image.Pt(x, y))
			i := slices.IndexFunc(placed, func(other bubble) bool { return other.area.Inset(-2).Overlaps(area) })
			if i < 0 {
				return area, area.Min.Y >= 0
			}
			if aside == 0 {
				above = placed[i].area.Min.Y - 3 - size.Y
			}
		}
		y = above
	}
	return area, false
}

// bubble draws an empty bubble that points at a head: paper with a darker edge.
func (p *pen) bubble(area image.Rectangle, head end) {
	inside := func(x, y int) bool {
		dx, dy := max(area.Min.X+speechRound-x, x-area.Max.X+1+speechRound, 0), max(area.Min.Y+speechRound-y, y-area.Max.Y+1+speechRound, 0)
		if dx <= speechRound && dy <= speechRound && dx*dx+dy*dy <= speechRound*speechRound {
			return true
		}
		below, long := y-area.Max.Y+1, int(head.y)-2-area.Max.Y
		if below < 0 || long <= 0 || below > long { // a tail, which gets narrower down to the head
			return false
		}
		root := min(max(int(head.x), area.Min.X+2*speechRound), area.Max.X-2*speechRound)
		middle := root + (int(head.x)-root)*below/long
		return 2*(x-middle)*long <= 9*(long-below) && 2*(middle-x)*long <= 9*(long-below)
	}
	reach := area.Union(image.Rect(int(head.x)-6, area.Min.Y, int(head.x)+7, max(int(head.y), area.Max.Y))).Intersect(image.Rectangle{Max: p.d.img.Rect.Size()})
	for y := reach.Min.Y; y < reach.Max.Y; y++ {
		for x := reach.Min.X; x < reach.Max.X; x++ {
			switch {
			case !inside(x, y):
			case inside(x-1, y) && inside(x+1, y) && inside(x, y-1) && inside(x, y+1):
				paperColor.over(p.d.pixel(x, y), 0.93)
			default:
				inkColor.over(p.d.pixel(x, y), 0.7)
			}
		}
	}
}
