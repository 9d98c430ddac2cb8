package ui

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Values is what texts may show of one kind: {kind:name} in a text stands for the value of that name. It returns how the value
// is written now, also if there is none yet, and then what to say to whoever writes the text. of is the entity
// that the panel is at, 0 if it is at none.
type Values func(v *world.View, of world.ID, name string) (text, missing string)

// Show has texts show values of a kind, where the world is put together. What is kept and told to viewers is the text
// with its {kind:name}; who draws it fills it in.
func (p *Panels) Show(kind string, values Values) { p.values[kind] = values }

// Played has whoever puts a panel on the screen of who plays an entity be told if nobody does, where the world is put together.
func (p *Panels) Played(played func(v *world.View, id world.ID) bool) { p.played = played }

// holes are the places of a text where something may be filled in.
var holes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(?:([a-z]+):)?([^{}:][^{}]*)\}`) })

// word is what stands in braces where a value was meant, and meant are the kinds that are often taken to be there.
var (
	word  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`) })
	meant = map[string]bool{"variable": true, "var": true, "state": true, "flag": true, "game": true, "score": true, "player": true, "quest": true, "item": true, "path": true, "outcome": true, "leaderboard": true}
)

// Say returns a text of a panel as it is now.
func (p *Panels) Say(v *world.View, panel *Panel, text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return holes().ReplaceAllStringFunc(text, func(hole string) string {
		part := holes().FindStringSubmatch(hole)
		values, ok := p.values[part[1]]
		if !ok {
			return hole
		}
		shown, _ := values(v, panel.Anchor.entity(), part[2])
		return shown
	})
}

// note is what whoever writes a panel may not have meant, "" if nothing.
func (p *Panels) note(v *world.View, panel *Body) string {
	if a := panel.Anchor.Screen; a != nil && a.Entity != 0 && p.played != nil && !p.played(v, a.Entity) {
		return a.Entity.String() + " is nobody's body or character: nobody sees the panel until it is"
	}
	texts := append([]string{panel.Title, panel.Text}, panel.Lines...)
	for _, text := range texts {
		for _, part := range holes().FindAllStringSubmatch(text, -1) {
			if note := p.hole(v, panel.Anchor.entity(), part[1], part[2]); note != "" {
				return fmt.Sprintf("%s: %s", quote.Clip(part[0]), note)
			}
		}
	}
	return ""
}

// hole is note for one place of a text.
func (p *Panels) hole(v *world.View, of world.ID, kind, name string) string {
	if values, ok := p.values[kind]; ok {
		_, missing := values(v, of, name)
		return missing
	}
	for _, other := range slices.Sorted(maps.Keys(p.values)) {
		if other == "ranking" { // nobody who leaves out the kind means that
			continue
		}
		if _, missing := p.values[other](v, of, name); missing == "" {
			return fmt.Sprintf("is shown as it stands; {%s:%s} shows the value", other, name)
		}
	}
	if kind == "" && word().MatchString(name) || meant[kind] {
		return "is shown as it stands: a text shows {counter:…} and {timer:…} of the game, {stat:…} and {ranking:…} of who has it"
	}
	return ""
}
