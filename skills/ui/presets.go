package ui

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// Label is ui.label.
func Label(p *Panels) registry.Skill {
	return preset(p, KindLabel, "Show a label", "name tag nameplate caption sign text above",
		"Show a small text that stands free, like a name over an entity or a sign at a place. Use ui.textBox for more than a few words, and social.say to speak as your own body.",
		`{"anchor":{"kind":"world","entity":"ent_3","offset":[0,1.2,0]},"text":"Bakery"}`)
}

// TextBox is ui.textBox.
func TextBox(p *Panels) registry.Skill {
	return preset(p, KindTextBox, "Show a text box", "board score leaderboard scoreboard ranking high score highscore",
		"Show a framed panel with a title and several lines, like a notice board in the world, or a leaderboard: {ranking:score} in a text shows who has most of the stat score, {stat:hp@ent_3} a stat of somebody, {counter:coins} and {timer:limit} those of the game, always as they are. Use ui.hudPanel for what belongs on the screen.",
		`{"anchor":{"kind":"world","point":[0,2,5]},"title":"Rules","lines":["No running","No shouting"]}`)
}

// SpeechBubble is ui.speechBubble.
func SpeechBubble(p *Panels) registry.Skill {
	return preset(p, KindSpeechBubble, "Show a speech bubble", "chat talk",
		"Show a speech bubble with a tail, at the entity that speaks. It draws words and nothing more: to speak as your own body, heard by those near, use social.say.",
		`{"anchor":{"kind":"world","entity":"ent_3","offset":[0,1.5,0]},"text":"Fresh bread!"}`)
}

// ThoughtBubble is ui.thoughtBubble.
func ThoughtBubble(p *Panels) registry.Skill {
	return preset(p, KindThoughtBubble, "Show a thought bubble", "think",
		"Show a thought bubble with a trail of puffs, at the entity that thinks. Use ui.speechBubble for what is said aloud.",
		`{"anchor":{"kind":"world","entity":"ent_3","offset":[0,1.5,0]},"text":"Where is it?"}`)
}

// Callout is ui.callout.
func Callout(p *Panels) registry.Skill {
	return preset(p, KindCallout, "Show a callout", "annotation explain arrow tooltip",
		"Show a note with a line to the thing that it explains. Without leader the line goes straight down. Use ui.label for a name alone.",
		`{"anchor":{"kind":"world","point":[0,3,0]},"text":"The weakest beam"}`)
}

// HUDPanel is ui.hudPanel.
func HUDPanel(p *Panels) registry.Skill {
	return preset(p, KindHUDPanel, "Show a panel on the screen", "score leaderboard scoreboard ranking high score highscore health bar status counter timer time left announce tell message notice overlay menu inventory",
		"Show a panel at a corner of every viewer's screen, like a score or a task list; anchor it with {kind:\"screen\", corner}, and entity for the screen of who plays that alone, where {stat:hp} is of it. {counter:coins}, {timer:limit}, {stat:hp@ent_3} and {ranking:score}, a leaderboard of who has most of the stat score ({ranking:score:10} shows ten), in a text always show what these are: no update is needed. Use ui.textBox for a panel that stands in the world.",
		`{"anchor":{"kind":"screen","corner":"top-left"},"title":"Score","text":"{counter:coins} of 5"}`)
}

// preset is ui.panel with its kind decided.
func preset(p *Panels, kind Kind, title, keywords, description, example string) registry.Skill {
	return registry.Define(registry.Spec[Body, PanelOut]{
		Name:        "ui." + string(kind),
		Title:       title,
		Description: description + " It stays until ui.remove, or for lifecycle.ttlSeconds. Example: " + example,
		Keywords:    keywords,
		Permissions: []profiles.Permission{"ui.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in Body) (PanelOut, error) {
			return p.open(c, kind, in)
		},
	})
}
