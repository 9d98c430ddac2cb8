package ui

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// UpdateIn is the input of ui.update. What is nil stays as it is.
type UpdateIn struct {
	Handle string   `json:"handle" jsonschema_description:"Handle of the panel, as the skill that showed it returned it: \"ui_3\"."`
	Text   *string  `json:"text,omitempty" jsonschema_description:"New text; \"\" for none."`
	Title  *string  `json:"title,omitempty" jsonschema_description:"New title; \"\" for none."`
	Style  *Style   `json:"style,omitempty" jsonschema_description:"Members given here replace the panel's own, whole: a new border replaces the border. The others stay."`
	Lines  []string `json:"lines,omitzero" jsonschema_description:"New lines, all of them; [] for none."`
}

// UpdateOut is the output of ui.update.
type UpdateOut struct {
	OK      bool   `json:"ok" jsonschema_description:"True: the panel is now as asked for."`
	Changed bool   `json:"changed" jsonschema_description:"Whether anything about it is different from before."`
	Note    string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Update is ui.update.
func Update(p *Panels) registry.Skill {
	return registry.Define(registry.Spec[UpdateIn, UpdateOut]{
		Name:  "ui.update",
		Title: "Change a panel",
		Description: "Change the text, title, lines or style of a panel that is shown; what is left out stays. Use it instead of removing and showing a panel again when only its content changes; to move a panel, show a new one." +
			` Example: {"handle":"ui_0","text":"Closed"}`,
		Keywords:    "change text sign",
		Permissions: []profiles.Permission{"ui.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in UpdateIn) (UpdateOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (UpdateOut, error) {
				h, panel, err := p.find(&tx.View, in.Handle)
				if err != nil {
					return UpdateOut{}, err
				}
				panel = in.apply(panel)
				changed, err := p.replace(tx, h, panel)
				if err != nil {
					return UpdateOut{}, err
				}
				out := UpdateOut{OK: true, Changed: changed, Note: p.note(&tx.View, &panel.Body)}
				if !changed {
					return out, nil
				}
				return out, c.Emit(EventUpdated, touched{h})
			})
		},
	})
}

// apply returns the panel with what is to change.
func (in *UpdateIn) apply(p Panel) Panel {
	if in.Text != nil {
		p.Text = *in.Text
	}
	if in.Title != nil {
		p.Title = *in.Title
	}
	if in.Lines != nil {
		p.Lines = in.Lines
	}
	p.Style = p.Style.over(in.Style)
	return p
}
