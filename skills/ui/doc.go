// Package ui has the skills of the category ui: panels of text that agents put into the world or on
// the screen.
//
// A panel is presentation state. The server keeps it, with the rest of the world, in the table
// "ui.panels"; whoever views the world draws it. Who views an area gets the panels on the screen, those of entities
// in it and those at points in it. [New] adds the table to a world, [All] gives the
// skills, and engine code that wants a panel of its own calls [Panels.Open].
//
// A panel goes when ui.remove is called, when its lifecycle.ttlSeconds (or ttl, in simulation steps) are
// over, or when the entity that it is anchored to is destroyed. The last two are done by the next
// simulation step; to the skills the panel of a destroyed entity is gone at once.
//
// Lengths inside a panel are in panel pixels, x to the right and y down; pixelScale says how large
// such a pixel is. Colours and padding may be written in two forms each and are kept in one.
package ui

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(p *Panels) []registry.Skill {
	return []registry.Skill{
		OpenPanel(p), Label(p), TextBox(p), SpeechBubble(p), ThoughtBubble(p), Callout(p), HUDPanel(p),
		Update(p), Remove(p), List(p),
	}
}
