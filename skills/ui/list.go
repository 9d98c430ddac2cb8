package ui

import (
	"iter"
	"strings"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// ListIn is the input of ui.list.
type ListIn struct {
	Entity   world.ID `json:"entity,omitempty" jsonschema_description:"Only panels at this entity, or at what is below it."`
	Mentions string   `json:"mentions,omitempty" validate:"max=128" jsonschema_description:"Only panels in whose title or text this stands, in capitals or not."`
	Offset   int      `json:"offset" validate:"gte=0" jsonschema:"default=0" jsonschema_description:"How many to pass over: next of the answer before."`
	Limit    int      `json:"limit" validate:"gte=1,lte=200" jsonschema:"default=50" jsonschema_description:"How many to list at most."`
}

// ListOut is the output of ui.list.
type ListOut struct {
	Panels []Listed `json:"panels" jsonschema_description:"The panels that stand, oldest first."`
	Total  int      `json:"total" jsonschema_description:"How many there are of those that were asked for."`
	Next   int      `json:"next,omitempty" jsonschema_description:"The offset to go on with, if there are more."`
}

// Listed is a panel in a list.
type Listed struct {
	Handle   Handle      `json:"handle" jsonschema_description:"What ui.update and ui.remove take."`
	Kind     Kind        `json:"kind" jsonschema_description:"label, textBox, speechBubble, thoughtBubble, callout or hudPanel."`
	Title    string      `json:"title,omitempty" jsonschema_description:"Its title."`
	Text     string      `json:"text,omitempty" jsonschema_description:"Its text as it was given, the first 200 bytes."`
	Entity   world.ID    `json:"entity,omitempty" jsonschema_description:"The entity that it is at."`
	Position *world.Vec3 `json:"position,omitempty" jsonschema_description:"Where in the world it is now."`
	Corner   string      `json:"corner,omitempty" jsonschema_description:"Where on the screen it is."`
	Until    uint64      `json:"until,omitempty" jsonschema_description:"The simulation step in which it goes by itself."`
}

// List is ui.list.
func List(p *Panels) registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "ui.list",
		Title: "List the panels",
		Description: "List the panels of the world and of the screen, whoever has put them up: handle, text, and where each is. Panels at points stay where they are when a house is moved: this finds them. " +
			`Example: {"mentions":"welcome"}`,
		Keywords:    "which what panel panels sign signs label labels text texts hud find show",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			return world.Read(p.w, c, func(v *world.View) (ListOut, error) {
				if in.Entity != 0 && !v.Exists(in.Entity) {
					return ListOut{}, v.Unknown(in.Entity)
				}
				return p.list(v, &in), nil
			})
		},
	})
}

func (p *Panels) list(v *world.View, in *ListIn) ListOut {
	out := ListOut{Panels: []Listed{}}
	for h, panel := range p.All(v) {
		if in.Entity != 0 && (panel.Anchor.entity() == 0 || !v.Within(panel.Anchor.entity(), in.Entity)) || !panel.mentions(in.Mentions) {
			continue
		}
		if out.Total++; out.Total > in.Offset && len(out.Panels) < in.Limit {
			out.Panels = append(out.Panels, listed(v, h, &panel))
		}
	}
	if told := in.Offset + len(out.Panels); told < out.Total && len(out.Panels) > 0 {
		out.Next = told
	}
	return out
}

// mentions reports whether a text, in capitals or not, stands in what a panel says.
func (p *Panel) mentions(text string) bool {
	return text == "" || strings.Contains(strings.ToLower(p.Title+"\n"+p.says()), strings.ToLower(text))
}

// says is the text of a panel with its further lines.
func (p *Panel) says() string {
	lines := p.Lines
	if p.Text != "" {
		lines = append([]string{p.Text}, lines...)
	}
	return strings.Join(lines, "\n")
}

func listed(v *world.View, h Handle, p *Panel) Listed {
	const most = 200
	l := Listed{Handle: h, Kind: p.Kind, Title: p.Title, Text: clip.Bytes(p.says(), most), Entity: p.Anchor.entity(), Until: p.Until}
	if a := p.Anchor.World; a != nil {
		at := shown.Point(a.At(v))
		l.Position = &at
	} else if a := p.Anchor.Screen; a != nil {
		l.Corner = a.Corner
	}
	return l
}

// Places yields where the panels are that stand at points, as [behind.Places].
func (p *Panels) Places(v *world.View) iter.Seq2[string, world.Vec3] {
	return func(yield func(string, world.Vec3) bool) {
		for h, panel := range p.All(v) {
			if a := panel.Anchor.World; a != nil && a.Entity == 0 && !yield("panel "+h.String(), a.At(v)) {
				return
			}
		}
	}
}
