package trace_test

import (
	"encoding/json"
	"math"
	"regexp"
	"testing"

	"github.com/limina-mcp/limina/trace"
)

func TestID(t *testing.T) {
	pattern := regexp.MustCompile(trace.ID(0).JSONSchemaPattern())
	tests := []struct {
		id   trace.ID
		text string
	}{
		{1, "evt_0"}, {2, "evt_1"}, {11, "evt_10"}, {math.MaxUint64, "evt_18446744073709551614"},
	}
	for _, tt := range tests {
		if got := tt.id.String(); got != tt.text || !pattern.MatchString(got) {
			t.Errorf("ID(%d).String() = %q, want %q, which matches %v", uint64(tt.id), got, tt.text, pattern)
		}
		if got, err := trace.ParseID(tt.text); err != nil || got != tt.id {
			t.Errorf("ParseID(%q) = %d, %v, want %d", tt.text, uint64(got), err, uint64(tt.id))
		}
		encoded, err := json.Marshal(tt.id)
		if err != nil || string(encoded) != `"`+tt.text+`"` {
			t.Errorf("Marshal(%v) = %s, %v, want %q", tt.id, encoded, err, tt.text)
		}
		var decoded trace.ID
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != tt.id {
			t.Errorf("Unmarshal(%s) = %v, %v, want %v", encoded, decoded, err, tt.id)
		}
		if text, err := tt.id.AppendText([]byte("an ")); err != nil || string(text) != "an "+tt.text {
			t.Errorf("AppendText = %q, %v, want %q", text, err, "an "+tt.text)
		}
	}
	if got := trace.ID(0).String(); got != "" {
		t.Errorf("the zero ID is %q, want nothing", got)
	}
}

func TestParseIDRefuses(t *testing.T) {
	pattern := regexp.MustCompile(trace.ID(0).JSONSchemaPattern())
	for _, text := range []string{
		"", "evt_", "evt_01", "evt_-1", "evt_+1", "evt_1 ", " evt_1", "evt_1_000", "evt_0x1", "EVT_1", "ent_1", "1",
		"evt_99999999999999999999999",
	} {
		if id, err := trace.ParseID(text); err == nil {
			t.Errorf("ParseID(%q) = %v, want an error", text, id)
		}
		if pattern.MatchString(text) && len(text) < 20 {
			t.Errorf("the pattern %v matches %q", pattern, text)
		}
	}
	if id, err := trace.ParseID("evt_18446744073709551615"); err == nil {
		t.Errorf("ParseID of the number beyond the last = %v, want an error", id)
	}
}
