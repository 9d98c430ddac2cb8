package render

import (
	"image"
	"slices"

	"github.com/limina-mcp/limina/world"
)

const (
	revealCoarse = 4  // of how many pixels along each side one is looked at
	revealRounds = 16 // walls behind one another that are left out
	revealShare  = 50 // what hides less than this part of it hides nothing

	revealNear = 0.02 // metres: what is so near to something is at it
)

// hiders returns the objects that are before those which a view is fitted to, layer by layer, and which part of what would show of these without
// them shows with them, from 0 to 1. Ground is none of them, what is seen through hides nothing, and what is at one of those and no larger, such as a vase on a table, belongs to
// it.
func (s *Scene) hiders(o *Options, v View, camera *Camera, width, height int) (hide map[*Object]bool, shows float64) {
	width, height = max(width/revealCoarse, 16), max(height/revealCoarse, 16)
	d := drawing{scene: s, options: o, view: v, img: image.NewRGBA(image.Rect(0, 0, width, height)), samples: 1}
	d.lens = newLens(camera, width, height)
	wanted := make(map[world.ID]bool, len(o.Fit))
	for _, id := range o.Fit {
		wanted[id] = true
	}
	var rooms []region
	for i := range s.Objects {
		if o := &s.Objects[i]; wanted[o.ID] {
			rooms = append(rooms, room(o))
		}
	}
	belongs := func(o *Object) bool {
		own := room(o)
		return slices.ContainsFunc(rooms, func(r region) bool { return own.size() <= r.size() && own.near(&r, revealNear) })
	}
	look := func(keep func(*Object) bool) (*frame, *canvas) {
		fr, c := d.faces(facing, keep), newCanvas(width*height, true)
		fr.fill(c, o.Workers)
		return fr, c
	}
	_, target := look(func(obj *Object) bool { return wanted[obj.ID] })
	all := 0
	for _, f := range target.face {
		if f != 0 {
			all++
		}
	}
	if all == 0 {
		return nil, 1
	}
	hide = map[*Object]bool{}
	rounds := revealRounds
	if !o.Reveal { // what hides it is only told
		rounds = 1
	}
	for round := range rounds {
		fr, c := look(func(obj *Object) bool { return !obj.Clear && !hide[obj] })
		before, covered := map[*Object]int{}, 0
		for i, f := range target.face {
			if f == 0 || c.face[i] == 0 {
				continue
			}
			if obj := &s.Objects[fr.faces[c.face[i]-1].object]; !wanted[obj.ID] && obj.Kind != Field {
				before[obj]++
				covered++
			}
		}
		if round == 0 {
			shows = 1 - float64(covered)/float64(all)
		}
		found := false
		for obj, n := range before {
			if n*revealShare >= all && !belongs(obj) {
				hide[obj], found = true, true
			}
		}
		if !found {
			break
		}
	}
	return hide, shows
}

// without returns the scene without some of its objects, and the ids of these, in the order of the scene.
func (s *Scene) without(hide map[*Object]bool) (rest *Scene, ids []world.ID) {
	open := *s
	open.Objects = nil
	for i := range s.Objects {
		if o := &s.Objects[i]; !hide[o] {
			open.Objects = append(open.Objects, *o)
		} else if o.ID != 0 {
			ids = append(ids, o.ID)
		}
	}
	return &open, ids
}
