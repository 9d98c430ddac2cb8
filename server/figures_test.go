package server_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	figureName = regexp.MustCompile(`^([a-z_]+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (\S+)$`)
	familyLine = regexp.MustCompile(`^# (HELP|TYPE) ([a-z_]+) (.+)$`)
)

// parseFigures reads Prometheus' text format, and complains of whatever breaks it.
func parseFigures(t *testing.T, text string) map[string]float64 {
	t.Helper()
	figures := map[string]float64{}
	kinds := map[string]string{}
	family := ""
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		if !ended {
			t.Errorf("the last line has no end: %q", line)
		}
		if m := familyLine.FindStringSubmatch(line); m != nil {
			switch {
			case m[1] == "HELP":
				if _, twice := kinds[m[2]]; twice {
					t.Errorf("family %s is there twice", m[2])
				}
				family, kinds[m[2]] = m[2], ""
			case m[2] != family || kinds[family] != "":
				t.Errorf("type in the wrong place: %q", line)
			default:
				kinds[family] = m[3]
			}
			continue
		}
		m := figureName.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no figure: %q", line)
			continue
		}
		name := m[1]
		if kinds[family] == "histogram" {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				name = strings.TrimSuffix(name, suffix)
			}
		}
		if name != family {
			t.Errorf("%s is not of the family %s", m[1], family)
		}
		if kinds[family] == "counter" && !strings.HasSuffix(name, "_total") {
			t.Errorf("counter %s does not end in _total", name)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if _, twice := figures[m[1]+m[2]]; twice {
			t.Errorf("%s is there twice", m[1]+m[2])
		}
		figures[m[1]+m[2]] = value
	}
	return figures
}
