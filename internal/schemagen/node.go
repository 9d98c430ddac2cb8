package schemagen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// node is a JSON value that keeps what encoding/json's maps would lose: the text of
// a number, the order of keys, keys that are there twice. It is nil, bool, string,
// json.Number, array or object.
type node any

type (
	array  []node
	object []member
	member struct {
		key   string
		value node
	}
)

// render writes a tree, now and then with white space and escapes, which mean
// nothing.
func (m maker) render(n node) []byte {
	w := writer{maker: m, loose: m.one(4, 1)}
	w.node(n)
	return []byte(w.String())
}

type writer struct {
	strings.Builder
	maker
	loose bool
}

func (w *writer) node(n node) {
	w.space()
	switch n := n.(type) {
	case string:
		w.text(n)
	case json.Number:
		w.WriteString(string(n))
	case array:
		w.WriteByte('[')
		for i, item := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.node(item)
		}
		w.space()
		w.WriteByte(']')
	case object:
		w.WriteByte('{')
		for i, mem := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.space()
			w.text(mem.key)
			w.space()
			w.WriteByte(':')
			w.node(mem.value)
		}
		w.space()
		w.WriteByte('}')
	default:
		fmt.Fprint(w, orNull(n))
	}
	w.space()
}

func orNull(n node) any {
	if n == nil {
		return "null"
	}
	return n
}

func (w *writer) space() {
	if w.loose && w.one(3, 1) {
		w.WriteByte(" \t\r\n"[w.IntN(4)])
	}
}

// text writes a string, in a loose text with some characters as escapes.
func (w *writer) text(s string) {
	w.WriteByte('"')
	for _, r := range s {
		switch {
		case r < ' ' || r == '"' || r == '\\' || w.loose && r < 0x10000 && w.one(8, 1):
			fmt.Fprintf(w, `\u%04x`, r)
		default:
			w.WriteRune(r)
		}
	}
	w.WriteByte('"')
}
