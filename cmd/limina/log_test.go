package main

import (
	"regexp"
	"strings"
	"testing"
)

// A line of the log says when it was written, to the millisecond.
func TestLogTime(t *testing.T) {
	for format, want := range map[string]string{
		"json": `^\{"level":"info","time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[^"]+","message":"hello"\}\n$`,
		"text": `^\d\d:\d\d:\d\d\.\d{3} INF hello\n$`,
	} {
		var out strings.Builder
		log := (&config{logLevel: "info", logFormat: format}).logger(&out)
		log.Info().Msg("hello")
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%s: %q does not match %s", format, out.String(), want)
		}
	}
}
