package render

import "strings"

const (
	noteMargin = 6 // pixels to the edges of the picture, and between notes
	noteMost   = 24
)

// notes writes the notes of the scene over everything else. Lines that there is no room for are left out.
func (p *pen) notes() {
	var order []Corner
	byCorner := map[Corner][]Note{}
	for _, n := range p.d.scene.Notes {
		c := n.Corner.known()
		if byCorner[c] == nil {
			order = append(order, c)
		}
		byCorner[c] = append(byCorner[c], n)
	}
	for _, c := range order {
		p.stack(c, byCorner[c])
	}
}

// known returns the corner itself, or where notes are that have none.
func (c Corner) known() Corner {
	switch c {
	case "top-center", "top-right", "center", "bottom-left", "bottom-center", "bottom-right":
		return c
	}
	return "top-left"
}

// stack writes the notes of a corner, one below the other.
func (p *pen) stack(c Corner, notes []Note) {
	size := p.d.img.Rect.Size()
	top, bottom := noteMargin, size.Y-noteMargin
	if p.d.options.Axes { // the caption is above, and a ruler may be below
		top, bottom = top+lineHeight, bottom-2*lineHeight
	}
	letters := (size.X - 2*noteMargin) / textWidth("m")
	height := -noteMargin
	for _, n := range notes {
		height += min(len(n.Lines), noteMost)*lineHeight + noteMargin
	}
	y := top
	switch {
	case strings.HasPrefix(string(c), "bottom"):
		y = max(top, bottom-height)
	case c == "center":
		y = max(top, (size.Y-height)/2)
	}
	for _, n := range notes {
		lines, wide := make([]string, min(len(n.Lines), noteMost)), 0
		for i := range lines {
			lines[i] = clip(n.Lines[i], letters)
			wide = max(wide, textWidth(lines[i]))
		}
		x := noteMargin
		switch {
		case strings.HasSuffix(string(c), "right"):
			x = size.X - noteMargin - wide
		case strings.HasSuffix(string(c), "center"):
			x = (size.X - wide) / 2
		}
		for _, line := range lines {
			if y+lineHeight > bottom {
				return
			}
			p.write(x, y, line+strings.Repeat(" ", (wide-textWidth(line))/textWidth("m")), paperColor, inkColor, 0.75)
			y += lineHeight
		}
		y += noteMargin
	}
}
