package ui

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of panels.
const (
	MaxPanels    = 4096     // panels at a time
	MaxPanelText = 16 << 10 // bytes of text in one
	MaxText      = 1 << 20  // … in all of them, but that those with at most ShortText always fit
	ShortText    = 256
)

// Panels are the panels of a world. Everything they know is in the world's tables, so it is hashed,
// rolled back and replayed with the rest. A world has one Panels.
type Panels struct {
	w    *world.World
	rows *world.Table[Handle, Panel]
	by   *share.Owners[Handle]

	values map[string]Values // by kind

	played func(v *world.View, id world.ID) bool // whether somebody plays an entity; nil if that is not known

	// They tell the step whether any panel goes, so that it need not look at all of them. All follow from the rows.
	ends   *world.Table[uint64, int]   // how many, by the step that removes them
	held   *world.Table[world.ID, int] // how many, by the entity that they are at
	holder *world.Component[struct{}]  // on each entity in held, until it is destroyed
}

// New adds panels to a world, and a simulation step that removes those whose time is up and those
// whose entity was destroyed.
func New(w *world.World) *Panels {
	p := &Panels{
		w:      w,
		values: map[string]Values{},
		rows:   world.NewTable[Handle, Panel](w, "ui.panels", MaxPanels),
		by:     share.NewOwners[Handle](w, "ui.owners", share.Kept{Most: MaxPanels, What: "panels", Free: "ui.remove takes one away"}),
		ends:   world.NewTable[uint64, int](w, "ui.ends", MaxPanels, world.Private, world.Derived),
		held:   world.NewTable[world.ID, int](w, "ui.held", MaxPanels, world.Private, world.Derived),
		holder: world.NewComponent[struct{}](w, "ui.holder", world.Private, world.Single, world.Derived),
	}
	p.rows.Locate(func(panel Panel) world.Place { return panel.Anchor.place() })
	w.OnStep("ui", p.step, p.activity)
	w.OnFollow(p.reindex)
	p.rows.Resume(func(panel Panel, past uint64) Panel {
		panel.Since += past
		if panel.Until != 0 {
			panel.Until += past
		}
		return panel
	})
	w.OnRestore(func(tx *world.Tx, _ uint64) error { return p.reindex(tx) })
	return p
}

// Open adds a panel of an agent's, "" for nobody's. It fails if the anchor's entity does not exist or a limit is reached, of all or of what he may have of it.
func (p *Panels) Open(tx *world.Tx, by string, kind Kind, body Body) (Handle, error) {
	if err := body.Anchor.Check(); err != nil {
		return 0, fmt.Errorf("anchor: %w", err)
	}
	if err := body.Lifecycle.check(); err != nil {
		return 0, err
	}
	entity := body.Anchor.entity()
	if entity != 0 && !tx.Exists(entity) {
		return 0, tx.Unknown(entity)
	}
	if kind == KindCallout && body.Leader == nil {
		body.Leader = defaultLeader()
	}
	p.raise(&tx.View, kind, &body)
	body.Anchor.World = body.Anchor.World.orient()
	body.tidy()
	panel := Panel{Kind: kind, Body: body, Since: tx.Step(), Until: body.Lifecycle.end(p.w, tx.Step())}
	if err := p.fits(&tx.View, by, 0, &panel); err != nil {
		return 0, err
	}
	h := Handle(p.rows.Next(tx) - 1)
	if err := p.by.Take(tx, h, by, p.rows.Len(&tx.View)); err != nil {
		return 0, err
	}
	if err := p.rows.Set(tx, h, panel); err != nil {
		return 0, err
	}
	return h, p.index(tx, &panel)
}

// above is how far what is said at an entity, or names it, is over its top unless its anchor says where, in metres.
const above = 0.3

// raise has what is said at an entity, or names it, be above that, as large as it is then, if its anchor does not say where.
func (p *Panels) raise(v *world.View, kind Kind, body *Body) {
	id := body.Anchor.entity()
	if id == 0 || body.Anchor.World == nil || body.Anchor.World.Offset != nil || kind != KindLabel && kind != KindSpeechBubble && kind != KindThoughtBubble {
		return
	}
	at, _ := v.Position(id)
	high := above
	if room := solid.Tree(p.w, v, id); room.Hi[1] > at[1] {
		high += room.Hi[1] - at[1]
	}
	anchor := *body.Anchor.World
	anchor.Offset = &world.Vec3{0, high, 0}
	body.Anchor.World = &anchor
}

// Get returns a panel. One whose entity was destroyed is gone at once, for its row to follow in the
// next step.
func (p *Panels) Get(v *world.View, h Handle) (Panel, bool) {
	panel, ok := p.rows.Get(v, h)
	if orphaned(v, &panel) {
		return Panel{}, false
	}
	return panel, ok
}

// Remove removes a panel and reports whether it was there.
func (p *Panels) Remove(tx *world.Tx, h Handle) bool {
	panel, ok := p.rows.Get(&tx.View, h)
	if !ok {
		return false
	}
	p.rows.Delete(tx, h)
	p.by.Drop(tx, h)
	p.unindex(tx, &panel)
	return true
}

// replace puts panel in the place of the one that h names, and reports whether they differ.
func (p *Panels) replace(tx *world.Tx, h Handle, panel Panel) (changed bool, err error) {
	panel.tidy()
	old, _ := p.rows.Get(&tx.View, h)
	if reflect.DeepEqual(old, panel) {
		return false, nil
	}
	if err := p.fits(&tx.View, p.by.Of(&tx.View, h), old.size(), &panel); err != nil {
		return false, err
	}
	return true, p.rows.Set(tx, h, panel)
}

// texts are the bytes of text that all panels hold together.
var texts = share.Kept{
	Most: MaxText, What: "bytes of text of panels",
	Free: "ui.remove takes a panel away, and one of " + strconv.Itoa(ShortText) + " always fits",
}

// fits holds the limits of text to a panel of somebody's in whose place is one with old bytes. What all panels have is counted only for a long one: every viewer is sent all of it.
func (p *Panels) fits(v *world.View, by string, old int, panel *Panel) error {
	n := panel.size()
	if n > MaxPanelText {
		return registry.Errorf(registry.CodeCapacityExceeded, "a panel holds at most %d bytes of text, this one has %d: split it", MaxPanelText, n)
	}
	if n <= ShortText || n <= old {
		return nil
	}
	has, all, is := 0, 0, share.Like(v, by)
	for h, panel := range p.rows.All(v) {
		size := panel.size()
		if all += size; is(p.by.Of(v, h)) {
			has += size
		}
	}
	return texts.RoomFor(n-old, has, all)
}

// lookup returns the panel that a caller names.
func (p *Panels) lookup(v *world.View, handle string) (Handle, Panel, bool) {
	h, err := ParseHandle(handle)
	if err != nil {
		return 0, Panel{}, false
	}
	panel, ok := p.Get(v, h)
	return h, panel, ok
}

// find is lookup with an error that names the panels that the caller may have meant.
func (p *Panels) find(v *world.View, handle string) (Handle, Panel, error) {
	if h, panel, ok := p.lookup(v, handle); ok {
		return h, panel, nil
	}
	all := p.shown(v)
	h, err := ParseHandle(handle)
	if err != nil && len(all) > 0 {
		h = all[len(all)-1] // whatever was meant, the newest are the likeliest
	}
	return 0, Panel{}, registry.Failf("unknown panel %s; %s", quote.Clip(handle), nearest(all, h))
}

// shown returns the handles of all panels, in order.
func (p *Panels) shown(v *world.View) []Handle {
	var all []Handle
	for h := range p.rows.All(v) {
		if _, ok := p.Get(v, h); ok {
			all = append(all, h)
		}
	}
	return all
}

// All yields every panel that stands, in the order of their handles.
func (p *Panels) All(v *world.View) iter.Seq2[Handle, Panel] {
	return func(yield func(Handle, Panel) bool) {
		for h, panel := range p.rows.All(v) {
			if !orphaned(v, &panel) && !yield(h, panel) {
				return
			}
		}
	}
}
