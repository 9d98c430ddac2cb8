package trigger

import (
	"encoding/json"
	"slices"
	"testing"
)

// SeatFew has zones hold less.
func (t *Triggers) SeatFew(n int) { t.most = n }

// TestSeatsAsText: what is written of an entity that is in hundreds of zones is a few bytes for each, and what earlier programs have written is read.
func TestSeatsAsText(t *testing.T) {
	var many seats
	for i := range 230 {
		many = append(many, seat{Handle(i), uint64(1_000_000 + 40*i)})
	}
	for _, tt := range []struct {
		all  seats
		text string
	}{{nil, `""`}, {seats{{5, 100}, {6, 100}, {9, 98}}, `"5@100,1@0,3@-2"`}, {seats{{1<<64 - 1, 1<<64 - 1}}, `"18446744073709551615@-1"`}, {many, ""}} {
		text, err := json.Marshal(tt.all)
		if tt.text == "" {
			tt.text = string(text)
		}
		if err != nil || string(text) != tt.text || len(text) > 20+5*len(tt.all) {
			t.Errorf("%v is written %s, %v; want %s", tt.all, text, err, tt.text)
		}
		var back seats
		if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back, tt.all) {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
	}
	var back seats
	if err := json.Unmarshal([]byte(`[{"zone":"trg_5","since":100},{"zone":"trg_6","since":7}]`), &back); err != nil || !slices.Equal(back, seats{{5, 100}, {6, 7}}) {
		t.Errorf("an earlier program's are read as %v, %v", back, err)
	}
	for _, wrong := range []string{`"x"`, `"1@x"`, `{}`, `7`} {
		if err := json.Unmarshal([]byte(wrong), &back); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
