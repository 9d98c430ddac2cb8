package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ui"
)

func TestUpdate(t *testing.T) {
	const at = `"kind":"textBox","anchor":{"kind":"screen","corner":"center"},"since":0`
	const start = `"style":{"border":{"width":1,"color":0},"padding":2,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"T","lines":["l"]`
	const border = `"border":{"width":1,"color":{"r":0,"g":0,"b":0,"a":255}}`
	const padding = `"padding":{"top":2,"right":2,"bottom":2,"left":2}`
	for _, tt := range []struct{ name, update, changed, want string }{
		{"nothing", ``, `false`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"T","lines":["l"]`},
		{"the same", `,"text":"t","lines":["l"],"style":{"padding":{"top":2,"right":2,"bottom":2,"left":2},"runs":[{"text":"a"}]}`, `false`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"T","lines":["l"]`},
		{"text", `,"text":"u"`, `true`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"u","title":"T","lines":["l"]`},
		{"no text", `,"text":"","title":"","lines":[]`, `true`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]}`},
		{"title and lines", `,"title":"U","lines":["m","n"]`, `true`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"U","lines":["m","n"]`},
		{"empty style", `,"style":{}`, `false`, `"style":{` + border + `,` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"T","lines":["l"]`},
		{"border, whole", `,"style":{"border":{"width":2,"color":255,"radius":3}}`, `true`, `"style":{"border":{"width":2,"color":{"r":0,"g":0,"b":255,"a":255},"radius":3},` + padding + `,"maxLines":3,"runs":[{"text":"a"}]},"text":"t","title":"T","lines":["l"]`},
		{"no runs", `,"style":{"runs":[],"noWrap":false}`, `true`, `"style":{` + border + `,` + padding + `,"maxLines":3,"noWrap":false},"text":"t","title":"T","lines":["l"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			h.call("ui.textBox", `{"anchor":{"kind":"screen","corner":"center"},`+start+`}`, `{"handle":"ui_0"}`)
			h.step(2)
			tick := h.w.Tick()
			h.call("ui.update", `{"handle":"ui_0"`+tt.update+`}`, `{"ok":true,"changed":`+tt.changed+`}`)
			if moved := h.w.Tick() != tick; fmt.Sprint(moved) != tt.changed {
				t.Errorf("the update committed: %v", moved)
			}
			want := strings.TrimSuffix("{"+at+","+tt.want, ",") + "}"
			if diff := cmp.Diff(plain(t, want), plain(t, encode(t, h.panel(0)))); diff != "" {
				t.Errorf("the panel differs (-want +got):\n%s", diff)
			}
			h.call("ui.update", `{"handle":"ui_0"`+tt.update+`}`, `{"ok":true,"changed":false}`) // idempotent
		})
	}
}

func TestUpdateStylesABarePanel(t *testing.T) {
	h := newHouse(t)
	h.call("ui.label", `{"anchor":{"kind":"screen"},"lines":[],"style":{"runs":[]}}`, `{"handle":"ui_0"}`)
	h.call("ui.update", `{"handle":"ui_0","style":{},"lines":[]}`, `{"ok":true,"changed":false}`)
	h.call("ui.update", `{"handle":"ui_0","style":{"width":5}}`, `{"ok":true,"changed":true}`)
	if got := encode(t, h.panel(0).Style); got != `{"width":5}` {
		t.Errorf("the style is %s", got)
	}
}

func TestUpdateRefuses(t *testing.T) {
	h := newHouse(t)
	for range 6 {
		h.call("ui.label", `{"anchor":{"kind":"screen"}}`, fmt.Sprintf(`{"handle":"ui_%d"}`, int(h.w.Tick())))
	}
	h.call("ui.remove", `{"handle":"ui_3"}`, `{"removed":true}`)
	before := h.w.Hash()
	for _, tt := range []struct{ input, want string }{
		{`{"text":"a"}`, `invalid_input: handle: is required: a string`},
		{`{"handle":"ui_0","kind":"label"}`, `invalid_input: kind: unknown field, allowed: handle, text, title, style, lines`},
		{`{"handle":"ui_0","text":null}`, `invalid_input: text: must be a string, got null (leave the key out instead)`},
		{`{"handle":"ui_0","style":{"padding":-1}}`, `invalid_input: style.padding: must be at least 0, got -1`},
		{`{"handle":"ui_0","lines":"a"}`, `invalid_input: lines: must be an array, each a string, got the string "a": as an array that is ["a"]`},
		{`{"handle":"ui_3"}`, `handler_error: unknown panel ui_3; the nearest are ui_1, ui_2, ui_4`},
		{`{"handle":"ui_900"}`, `handler_error: unknown panel ui_900; the nearest are ui_2, ui_4, ui_5`},
		{`{"handle":"ui_00"}`, `handler_error: unknown panel ui_00; the nearest are ui_2, ui_4, ui_5`},
		{`{"handle":"label"}`, `handler_error: unknown panel label; the nearest are ui_2, ui_4, ui_5`},
		{`{"handle":"ui_0","text":"` + strings.Repeat("a", ui.MaxPanelText+1) + `"}`, `capacity_exceeded: a panel holds at most 16384 bytes of text, this one has 16385: split it`},
	} {
		h.call("ui.update", tt.input, tt.want)
		if h.w.Hash() != before {
			t.Errorf("ui.update %.60s left a mark on the world", tt.input)
		}
	}
}

func TestRemove(t *testing.T) {
	h := newHouse(t)
	h.call("ui.remove", `{"handle":"ui_0"}`, `{"removed":false}`)
	h.call("ui.update", `{"handle":"ui_0"}`, `handler_error: unknown panel ui_0; no panel is shown`)
	h.call("ui.label", `{"anchor":{"kind":"screen"}}`, `{"handle":"ui_0"}`)
	h.call("ui.remove", `{"handle":"ui_0"}`, `{"removed":true}`)
	before := h.w.Hash()
	h.call("ui.remove", `{"handle":"ui_0"}`, `{"removed":false}`)
	h.call("ui.remove", `{"handle":"nothing"}`, `{"removed":false}`)
	h.call("ui.remove", `{"handle":0}`, `invalid_input: handle: must be a string, got 0`)
	h.call("ui.remove", `{}`, `invalid_input: handle: is required: a string`)
	if h.w.Hash() != before {
		t.Error("removing nothing left a mark on the world")
	}
	h.call("ui.label", `{"anchor":{"kind":"screen"}}`, `{"handle":"ui_1"}`) // a handle is used once
}

// TestTyped drives the skills from engine code, where no JSON decoder checks what comes in.
func TestTyped(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	padding := ui.Padding{Left: -1}
	for _, tt := range []struct {
		name, want string
		in         ui.Body
	}{
		{"no anchor", "anchor: must have exactly one of World and Screen", ui.Body{}},
		{"limits inside of it", `anchor.corner: must be one of "top-left", "top-right", "bottom-left", "bottom-right", "top-center", "bottom-center", "center", got "middle"`, ui.Body{Anchor: ui.OnScreen("middle")}},
		{"padding", "style.padding.left: must be at least 0, got -1", ui.Body{Anchor: ui.OnScreen("center"), Style: &ui.Style{Padding: &padding}}},
	} {
		before := h.w.Hash()
		_, err := registry.Invoke[ui.Body, ui.PanelOut](ctx, h.r, &h.principal, "ui.label", tt.in)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
		if h.w.Hash() != before {
			t.Errorf("%s: the refusal left a mark on the world", tt.name)
		}
	}
	red := ui.RGB(0xff0000)
	in := ui.Body{Anchor: ui.AtEntity(h.entity(), [3]float64{0, 2, 0}), Text: "hi", Style: &ui.Style{Text: &ui.TextStyle{Color: &red}}}
	out, err := registry.Invoke[ui.Body, ui.PanelOut](ctx, h.r, &h.principal, "ui.speechBubble", in)
	if err != nil || out.Handle != 0 {
		t.Fatalf("got %v, %v", out, err)
	}
	want := ui.Panel{Kind: ui.KindSpeechBubble, Body: in}
	if diff := cmp.Diff(want, h.panel(out.Handle)); diff != "" {
		t.Errorf("the panel differs (-want +got):\n%s", diff)
	}
}
