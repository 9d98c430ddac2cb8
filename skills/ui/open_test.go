package ui_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ui"
)

var kinds = []ui.Kind{
	ui.KindLabel, ui.KindTextBox, ui.KindSpeechBubble, ui.KindThoughtBubble, ui.KindCallout, ui.KindHUDPanel,
}

// opener is a way to open a panel of a kind: its own skill, or ui.panel.
type opener struct {
	skill string
	kind  ui.Kind
	extra string // first members of the input
}

func openers() []opener {
	var all []opener
	for _, k := range kinds {
		all = append(all, opener{"ui." + string(k), k, ""}, opener{"ui.panel", k, fmt.Sprintf(`"kind":%q,`, k)})
	}
	return all
}

// everything is a body with every member that a panel at an entity can have.
const everything = `
	"anchor": {"kind":"world", "entity":"ent_0", "point":[1,2,3], "offset":[0,2,0], "billboard":false, "renderOrder":-1, "depthTest":true},
	"style": {
		"background": {"color":255, "opacity":0},
		"border": {"width":0, "color":{"r":1,"g":2,"b":3,"a":4}, "radius":0},
		"title": {"color":16777215, "background":0, "opacity":1, "height":0, "align":"center", "scale":1},
		"text": {"color":65280, "scale":2, "align":"right", "lineHeight":1.5, "letterSpacing":0},
		"padding": 4,
		"maxWidth":1, "width":2, "minWidth":3, "height":4, "maxLines":5, "noWrap":false,
		"shadow": {"color":1, "offsetX":-1, "offsetY":0, "blur":0, "opacity":0.5},
		"gradient": {"from":1, "to":2, "direction":"vertical", "opacity":0.25},
		"runs": [{"text":"a"}, {"text":"", "color":3, "scale":1}]
	},
	"text": "hello", "title": "Title", "lines": ["one", ""],
	"maxWidth": 10, "width": 20, "maxLines": 30, "pixelScale": 0.01,
	"tail": {"toward":{"x":0,"y":-5}, "side":"top", "count":8, "length":1, "base":2},
	"leader": {"dx":0, "dy":0, "side":"left", "offset":0, "width":1, "color":16711680, "dot":0},
	"lifecycle": {"fade":{"from":0,"to":1,"durationMs":200}, "typewriter":{"cps":30}, "ttl":90.5,
		"queue":{"mode":"replace","defaultHoldMs":5,"lines":["q"]}, "feed":{"maxLines":64}}`

// kept is what the world keeps of it: colours and padding in one form.
const kept = `
	"anchor": {"kind":"world", "entity":"ent_0", "point":[1,2,3], "offset":[0,2,0], "billboard":false, "renderOrder":-1, "depthTest":true},
	"style": {
		"background": {"color":{"r":0,"g":0,"b":255,"a":255}, "opacity":0},
		"border": {"width":0, "color":{"r":1,"g":2,"b":3,"a":4}, "radius":0},
		"title": {"color":{"r":255,"g":255,"b":255,"a":255}, "background":{"r":0,"g":0,"b":0,"a":255}, "opacity":1, "height":0, "align":"center", "scale":1},
		"text": {"color":{"r":0,"g":255,"b":0,"a":255}, "scale":2, "align":"right", "lineHeight":1.5, "letterSpacing":0},
		"padding": {"top":4,"right":4,"bottom":4,"left":4},
		"maxWidth":1, "width":2, "minWidth":3, "height":4, "maxLines":5, "noWrap":false,
		"shadow": {"color":{"r":0,"g":0,"b":1,"a":255}, "offsetX":-1, "offsetY":0, "blur":0, "opacity":0.5},
		"gradient": {"from":{"r":0,"g":0,"b":1,"a":255}, "to":{"r":0,"g":0,"b":2,"a":255}, "direction":"vertical", "opacity":0.25},
		"runs": [{"text":"a"}, {"text":"", "color":{"r":0,"g":0,"b":3,"a":255}, "scale":1}]
	},
	"text": "hello", "title": "Title", "lines": ["one", ""],
	"maxWidth": 10, "width": 20, "maxLines": 30, "pixelScale": 0.01,
	"tail": {"toward":{"x":0,"y":-5}, "side":"top", "count":8, "length":1, "base":2},
	"leader": {"dx":0, "dy":0, "side":"left", "offset":0, "width":1, "color":{"r":255,"g":0,"b":0,"a":255}, "dot":0},
	"lifecycle": {"fade":{"from":0,"to":1,"durationMs":200}, "typewriter":{"cps":30}, "ttl":90.5,
		"queue":{"mode":"replace","defaultHoldMs":5,"lines":["q"]}, "feed":{"maxLines":64}},
	"since": 3, "until": 94`

// TestOpenKeepsEverything opens a panel with every member in each way there is.
func TestOpenKeepsEverything(t *testing.T) {
	for _, o := range openers() {
		h := newHouse(t)
		h.entity()
		h.step(3)
		h.call(o.skill, "{"+o.extra+everything+"}", `{"handle":"ui_0"}`)
		want := fmt.Sprintf(`{"kind":%q,%s}`, o.kind, kept)
		if diff := cmp.Diff(plain(t, want), plain(t, encode(t, h.panel(0)))); diff != "" {
			t.Errorf("%s: the panel differs (-want +got):\n%s", o.skill, diff)
		}
	}
}

// TestOpenKeepsNoMore opens a panel with as little as there may be.
func TestOpenKeepsNoMore(t *testing.T) {
	for _, o := range openers() {
		for _, anchor := range []string{
			`{"kind":"world"}`,
			`{"kind":"screen"}`,
			`{"kind":"screen","corner":"bottom-center","marginPx":[0,8.5],"distance":2,"renderOrder":0}`,
		} {
			h := newHouse(t)
			h.call(o.skill, `{`+o.extra+`"anchor":`+anchor+`}`, `{"handle":"ui_0"}`)
			leader := ""
			if o.kind == ui.KindCallout { // the original failed here
				leader = `"leader":{"dx":0,"dy":48,"side":"bottom","offset":0.5},`
			}
			want := fmt.Sprintf(`{"kind":%q,"anchor":%s,%s"since":0}`, o.kind, anchor, leader)
			if diff := cmp.Diff(plain(t, want), plain(t, encode(t, h.panel(0)))); diff != "" {
				t.Errorf("%s: the panel differs (-want +got):\n%s", o.skill, diff)
			}
		}
	}
}

// refused are bodies that no panel can have, and why.
var refused = []struct{ name, body, want string }{
	{"no anchor", ``, `invalid_input: anchor: is required: an object with kind "world" or "screen", such as {"kind":"world","point":[0,2,0]}, {"kind":"world","entity":"ent_3"} or {"kind":"screen","corner":"top-left"}`},
	{"no kind", `"anchor":{}`, `invalid_input: anchor.kind: must be one of "world", "screen"; it decides which other fields there are`},
	{"kind in another case", `"anchor":{"Kind":"world"}`, `invalid_input: anchor.kind: must be one of "world", "screen"; it decides which other fields there are`},
	{"another kind", `"anchor":{"kind":"moon"}`, `invalid_input: anchor.kind: must be one of "world", "screen"; it decides which other fields there are`},
	{"anchor is text", `"anchor":"world"`, `invalid_input: anchor: must be an object with kind "world" or "screen", such as {"kind":"world","point":[0,2,0]}, {"kind":"world","entity":"ent_3"} or {"kind":"screen","corner":"top-left"}, got the string "world"`},
	{"anchor is null", `"anchor":null`, `invalid_input: anchor: must not be null`},
	{"anchor is a list", `"anchor":[]`, `invalid_input: anchor: must be an object with kind "world" or "screen", such as {"kind":"world","point":[0,2,0]}, {"kind":"world","entity":"ent_3"} or {"kind":"screen","corner":"top-left"}, got an array`},
	{"a field of the other kind", `"anchor":{"kind":"world","corner":"center"}`, `invalid_input: anchor.corner: unknown field, allowed: kind, entity, point, offset, axes, billboard, renderOrder, depthTest`},
	{"and the other way round", `"anchor":{"kind":"screen","point":[0,2,0]}`, `invalid_input: anchor.point: unknown field, allowed: kind, corner, entity, marginPx, distance, renderOrder`},
	{"a screen of nobody", `"anchor":{"kind":"screen","entity":"ent_7"}`, `handler_error: unknown entity ent_7; the world has none`},
	{"no corner", `"anchor":{"kind":"screen","corner":"middle"}`, `invalid_input: anchor.corner: must be one of "top-left", "top-right", "bottom-left", "bottom-right", "top-center", "bottom-center", "center", got "middle"`},
	{"no distance", `"anchor":{"kind":"screen","distance":0}`, `invalid_input: anchor.distance: must be greater than 0, got 0`},
	{"a margin too few", `"anchor":{"kind":"screen","marginPx":[1]}`, `invalid_input: anchor.marginPx: must have 2 items, got 1`},
	{"no entity id", `"anchor":{"kind":"world","entity":"house"}`, `invalid_input: anchor.entity: "house" is not an entity id; ids look like "ent_0", "ent_17"`},
	{"beyond float32", `"anchor":{"kind":"world","point":[0,1e39,0]}`, `invalid_input: anchor.point[1]: must be from -3.4e+38 to 3.4e+38, got 1e39`},
	{"unknown entity", `"anchor":{"kind":"world","entity":"ent_9"}`, `handler_error: unknown entity ent_9; the world has none`},
	{"colour too large", hud(`"style":{"background":{"color":16777216}}`), `invalid_input: style.background.color: must be an integer from 0 to 16777215 (0xFFFFFF), got 16777216`},
	{"colour negative", hud(`"style":{"background":{"color":-1}}`), `invalid_input: style.background.color: must be an integer from 0 to 16777215 (0xFFFFFF), got -1`},
	{"colour broken", hud(`"style":{"text":{"color":1.5}}`), `invalid_input: style.text.color: must be an integer from 0 to 16777215 (0xFFFFFF), got 1.5`},
	{"colour as text", hud(`"style":{"text":{"color":"#ff0000"}}`), `invalid_input: style.text.color: must be an integer from 0 to 16777215 or an object {r, g, b, a}, got the string "#ff0000": as an integer that is 16711680`},
	{"colour without alpha", hud(`"leader":{"dx":0,"dy":0,"color":{"r":1,"g":2,"b":3}}`), `invalid_input: leader.color.a: is required: an integer from 0 to 255`},
	{"channel too large", hud(`"style":{"shadow":{"color":{"r":256,"g":2,"b":3,"a":0}}}`), `invalid_input: style.shadow.color.r: must be from 0 to 255, got 256`},
	{"padding negative", hud(`"style":{"padding":-0.5}`), `invalid_input: style.padding: must be at least 0, got -0.5`},
	{"padding beyond float32", hud(`"style":{"padding":1e39}`), `invalid_input: style.padding: must be from -3.4e+38 to 3.4e+38, got 1e39`},
	{"padding of three sides", hud(`"style":{"padding":{"top":1,"right":2,"left":-3}}`), `invalid_input: style.padding.left: must be at least 0, got -3; style.padding.bottom: is required: a number at least 0`},
	{"padding as a list", hud(`"style":{"padding":[1,2]}`), `invalid_input: style.padding: must be a number or an object {top, right, bottom, left}, got an array`},
	{"opacity", hud(`"style":{"background":{"color":0,"opacity":1.01}}`), `invalid_input: style.background.opacity: must be at least 0 and at most 1, got 1.01`},
	{"border without width", hud(`"style":{"border":{"color":0}}`), `invalid_input: style.border.width: is required: a number at least 0`},
	{"align", hud(`"style":{"title":{"align":"middle"}}`), `invalid_input: style.title.align: must be one of "left", "center", "right", got "middle"`},
	{"scale", hud(`"style":{"text":{"scale":0}}`), `invalid_input: style.text.scale: must be at least 1, got 0`},
	{"gradient", hud(`"style":{"gradient":{"from":1}}`), `invalid_input: style.gradient.to: is required: an integer from 0 to 16777215 or an object {r, g, b, a}`},
	{"run without text", hud(`"style":{"runs":[{"text":"a"},{"scale":2}]}`), `invalid_input: style.runs[1].text: is required: a string`},
	{"unknown style", hud(`"style":{"colour":1}`), `invalid_input: style.colour: unknown field, allowed: background, border, title, text, padding, maxWidth, width, minWidth, height, maxLines, noWrap, shadow, gradient, runs`},
	{"width", hud(`"width":0`), `invalid_input: width: must be greater than 0, got 0`},
	{"maxLines", hud(`"maxLines":0`), `invalid_input: maxLines: must be at least 1, got 0`},
	{"tail", hud(`"tail":{"count":9,"toward":{"x":1}}`), `invalid_input: tail.count: must be from 1 to 8, got 9; tail.toward.y: is required: a number`},
	{"leader", hud(`"leader":{"dx":1}`), `invalid_input: leader.dy: is required: a number`},
	{"fade", hud(`"lifecycle":{"fade":{"durationMs":0}}`), `invalid_input: lifecycle.fade.durationMs: must be greater than 0, got 0`},
	{"typewriter", hud(`"lifecycle":{"typewriter":{}}`), `invalid_input: lifecycle.typewriter.cps: is required: a number greater than 0`},
	{"ttl", hud(`"lifecycle":{"ttl":0}`), `invalid_input: lifecycle.ttl: must be greater than 0, got 0`},
	{"queue", hud(`"lifecycle":{"queue":{"mode":"stack"}}`), `invalid_input: lifecycle.queue.mode: must be one of "queue", "replace", got "stack"`},
	{"feed", hud(`"lifecycle":{"feed":{"maxLines":65}}`), `invalid_input: lifecycle.feed.maxLines: must be from 1 to 64, got 65`},
	{"lines", hud(`"lines":["a",1]`), `invalid_input: lines[1]: must be a string, got 1`},
	{"unknown member", hud(`"txt":"a"`), `invalid_input: txt: unknown field, did you mean "text"? allowed: anchor, style, text, title, lines, maxWidth, width, maxLines, pixelScale, tail, leader, lifecycle`},
	{"too much text", hud(`"text":"` + strings.Repeat("a", ui.MaxPanelText-17) + `","lines":["ab"]`), `capacity_exceeded: a panel holds at most 16384 bytes of text, this one has 16385: split it`},
}

func hud(rest string) string { return `"anchor":{"kind":"screen"},` + rest }

func TestOpenRefuses(t *testing.T) {
	for _, o := range openers() {
		h := newHouse(t)
		before := h.w.Hash()
		for _, tt := range refused {
			want := tt.want
			if o.extra != "" { // ui.panel has one member more
				want = strings.Replace(want, "allowed: anchor,", "allowed: kind, anchor,", 1)
			}
			t.Run(o.skill+"/"+tt.name, func(t *testing.T) {
				h.t = t
				input := strings.TrimSuffix(o.extra+tt.body, ",")
				h.call(o.skill, "{"+input+"}", want)
				if h.w.Hash() != before {
					t.Error("the refusal left a mark on the world")
				}
			})
		}
	}
}

func TestPanelRefusesKind(t *testing.T) {
	h := newHouse(t)
	before := h.w.Hash()
	h.call("ui.panel", `{"anchor":{"kind":"screen"}}`, `invalid_input: kind: is required: one of "label", "textBox", "speechBubble", "thoughtBubble", "callout", "hudPanel"`)
	h.call("ui.panel", `{"kind":"labels","anchor":{"kind":"screen"}}`, `invalid_input: kind: must be one of "label", "textBox", "speechBubble", "thoughtBubble", "callout", "hudPanel", got "labels" (did you mean "label"?)`)
	if h.w.Hash() != before {
		t.Error("the refusals left a mark on the world")
	}
}

func TestUnknownEntityNamesTheNearest(t *testing.T) {
	h := newHouse(t)
	for range 5 {
		h.entity()
	}
	before := h.w.Hash()
	h.call("ui.label", `{"anchor":{"kind":"world","entity":"ent_7"}}`, `handler_error: unknown entity ent_7; the nearest are ent_2, ent_3, ent_4`)
	if h.w.Hash() != before {
		t.Error("the refusal left a mark on the world")
	}
}

func TestPanelsAreLimited(t *testing.T) {
	h := newHouse(t)
	const one = `{"anchor":{"kind":"screen"}}`
	for i := range ui.MaxPanels * 3 / 4 {
		h.call("ui.label", one, fmt.Sprintf(`{"handle":"ui_%d"}`, i))
	}
	before := h.w.Hash()
	h.call("ui.label", one, `capacity_exceeded: 3072 of 4096 panels are yours, and the 1024 that are left are for others: ui.remove takes one away`)
	if h.w.Hash() != before {
		t.Error("the refusal left a mark on the world")
	}
	h.principal.ID = "bob"
	h.call("ui.label", one, `{"handle":"ui_3072"}`)
	h.call("ui.remove", `{"handle":"ui_17"}`, `{"removed":true}`) // one of hers
	h.principal.ID = "ann"
	h.call("ui.label", one, `{"handle":"ui_3073"}`)
	h.call("ui.label", one, `capacity_exceeded: 3072 of 4096 panels are yours, and the 1023 that are left are for others: ui.remove takes one away`)
}

func TestTextIsLimited(t *testing.T) {
	h := newHouse(t)
	label := func(n int) string { return "{" + hud(`"text":"`+strings.Repeat("a", n)+`"`) + "}" }
	for i := range ui.MaxText / ui.MaxPanelText * 3 / 4 {
		h.call("ui.label", label(ui.MaxPanelText), fmt.Sprintf(`{"handle":"ui_%d"}`, i))
	}
	before := h.w.Hash()
	const full = `capacity_exceeded: with this 786689 of 1048576 bytes of text of panels would be yours, and the 261887 that are left are for others: ui.remove takes a panel away, and one of 256 always fits`
	h.call("ui.label", label(ui.ShortText+1), full)
	if h.w.Hash() != before {
		t.Error("the refusal left a mark on the world")
	}
	h.call("ui.label", label(ui.ShortText), `{"handle":"ui_48"}`)
	h.call("ui.update", `{"handle":"ui_3","text":"`+strings.Repeat("c", ui.MaxPanelText)+`"}`, `{"ok":true,"changed":true}`)
	h.principal.ID = "bob" // hers it is whoever changes it
	h.call("ui.update", `{"handle":"ui_48","text":"`+strings.Repeat("c", ui.ShortText+1)+`"}`, full)
	h.call("ui.label", label(ui.MaxPanelText), `{"handle":"ui_49"}`)
	h.principal.ID = "ann"
	h.call("ui.remove", `{"handle":"ui_49"}`, `{"removed":true}`)
	h.call("ui.remove", `{"handle":"ui_3"}`, `{"removed":true}`)
	h.call("ui.label", label(ui.ShortText+1), `{"handle":"ui_50"}`)
}

func TestPermission(t *testing.T) {
	h := newHouse(t)
	h.principal.Grants = profiles.Grant("scene.write")
	before := h.w.Hash()
	for _, k := range h.r.List(registry.Filter{}) {
		input := `{"handle":"ui_0"}`
		if k.Name() != "ui.update" && k.Name() != "ui.remove" {
			input = `{"anchor":{"kind":"screen"}}`
		}
		if k.Name() == "ui.list" { // whoever sees the scene sees them
			continue
		}
		if k.Name() == "ui.panel" {
			input = `{"kind":"label","anchor":{"kind":"screen"}}`
		}
		h.call(k.Name(), input, `forbidden: missing permission: ui.write`)
	}
	if h.w.Hash() != before {
		t.Error("the refusals left a mark on the world")
	}
}

func TestMetadata(t *testing.T) {
	type claim struct {
		Effect     registry.Effect
		Idempotent bool
	}
	want := map[string]claim{
		"ui.panel": {registry.Writes, false}, "ui.label": {registry.Writes, false}, "ui.textBox": {registry.Writes, false},
		"ui.speechBubble": {registry.Writes, false}, "ui.thoughtBubble": {registry.Writes, false},
		"ui.callout": {registry.Writes, false}, "ui.hudPanel": {registry.Writes, false},
		"ui.update": {registry.Writes, true}, "ui.remove": {registry.Destroys, true},
		"ui.list": {registry.Reads, true},
	}
	got := map[string]claim{}
	for _, k := range newHouse(t).r.List(registry.Filter{}) {
		i := k.Info()
		got[i.Name] = claim{i.Effect, i.Idempotent}
		needs := profiles.Permission("ui.write")
		if i.Name == "ui.list" {
			needs = "scene.read"
		}
		if len(i.Permissions) != 1 || i.Permissions[0] != needs || i.Version != "1.0.0" || i.Category != "ui" || i.Core || i.Published || i.Title == i.Name {
			t.Errorf("%s is declared as %+v", i.Name, i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the claims differ (-want +got):\n%s", diff)
	}
}

// plain decodes JSON, so that only what it says is compared.
func plain(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
