// Package metrics writes figures in the text format of Prometheus. It is what [server.Config.Figures] is given, in
// a package of its own, so that who adds figures needs no server: a host without a port links neither net/http
// nor TLS.
//
// Figures are counted where they arise; here they are only written down. So this is the small part of
// a metrics library that is needed: client_golang would be 4.9 MB of the binary and half as much again
// of the time to start.
package metrics

import (
	"strconv"
	"strings"
)

// Text is what has been written; the zero value is empty. It is for one goroutine at a time.
type Text struct {
	text   []byte
	family string
}

// Bytes is the text so far, which further figures are written behind.
func (m *Text) Bytes() []byte { return m.text }

// Counter begins a family of figures that only grow; their names end in _total.
func (m *Text) Counter(name, help string) *Text { return m.begin(name, help, "counter") }

// Gauge begins a family of figures that come and go.
func (m *Text) Gauge(name, help string) *Text { return m.begin(name, help, "gauge") }

// Histogram begins a family whose figures are counts up to bounds: each has a suffix, see [Text.AddPart].
func (m *Text) Histogram(name, help string) *Text { return m.begin(name, help, "histogram") }

func (m *Text) begin(name, help, kind string) *Text {
	m.family = name
	m.text = append(m.text, "# HELP "+name+" "+escapeHelp(help)+"\n# TYPE "+name+" "+kind+"\n"...)
	return m
}

// Add adds a figure to the family, with labels as names and values by turns.
func (m *Text) Add(value float64, labels ...string) { m.AddPart("", value, labels...) }

// AddPart adds a figure whose name is that of the family with a suffix: _bucket, _sum and _count of a histogram.
func (m *Text) AddPart(suffix string, value float64, labels ...string) {
	m.text = append(append(m.text, m.family...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		m.text = append(append(append(m.text, sep), labels[i]...), `="`...)
		m.text = append(append(m.text, escapeLabel(labels[i+1])...), '"')
	}
	if len(labels) > 1 {
		m.text = append(m.text, '}')
	}
	m.text = append(m.text, ' ')
	m.text = strconv.AppendFloat(m.text, value, 'g', -1, 64)
	m.text = append(m.text, '\n')
}

func escapeHelp(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "\n", `\n`)
}

func escapeLabel(s string) string { return strings.ReplaceAll(escapeHelp(s), `"`, `\"`) }
