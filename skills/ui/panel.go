package ui

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Kind is what a panel looks like when nothing else is said, and what it is for.
type Kind string

// The kinds.
const (
	KindLabel         Kind = "label"
	KindTextBox       Kind = "textBox"
	KindSpeechBubble  Kind = "speechBubble"
	KindThoughtBubble Kind = "thoughtBubble"
	KindCallout       Kind = "callout"
	KindHUDPanel      Kind = "hudPanel"
)

// Panel is a panel that stands in the world: a row of the world's table "ui.panels", by its
// handle, which viewers draw.
// It is immutable; an update puts another one in its place.
type Panel struct {
	Kind Kind `json:"kind"`
	Body
	Since uint64 `json:"since"`           // simulation step at which it appeared
	Until uint64 `json:"until,omitempty"` // step that removes it; 0 if it stays
}

// PanelIn is the input of ui.panel.
type PanelIn struct {
	Kind Kind `json:"kind" validate:"oneof=label textBox speechBubble thoughtBubble callout hudPanel" jsonschema_description:"What kind of panel."`
	Body
}

// PanelOut is the output of the skills that open a panel.
type PanelOut struct {
	Handle Handle `json:"handle" jsonschema_description:"Names the panel in ui.update and ui.remove."`
	Note   string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// OpenPanel is ui.panel.
func OpenPanel(p *Panels) registry.Skill {
	return registry.Define(registry.Spec[PanelIn, PanelOut]{
		Name:  "ui.panel",
		Title: "Show a panel",
		Description: "Show a panel of any of the six kinds, in the world or on the screen, and get its handle. Use it when the kind is decided at run time; ui.label, ui.speechBubble and the others say the same with less. It stays until ui.remove, or for lifecycle.ttlSeconds." +
			` Example: {"kind":"label","anchor":{"kind":"world","entity":"ent_3","offset":[0,1.2,0]},"text":"Bakery"}`,
		Permissions: []profiles.Permission{"ui.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PanelIn) (PanelOut, error) {
			return p.open(c, in.Kind, in.Body)
		},
	})
}

// open opens a panel on behalf of a call.
func (p *Panels) open(c *registry.Call, kind Kind, body Body) (PanelOut, error) {
	return world.Do(p.w, c, func(tx *world.Tx) (PanelOut, error) {
		h, err := p.Open(tx, c.Principal().Owner(), kind, body)
		if err != nil {
			return PanelOut{}, err
		}
		return PanelOut{Handle: h, Note: p.note(&tx.View, &body)}, c.Emit(EventOpened, opened{Handle: h, Kind: kind})
	})
}
