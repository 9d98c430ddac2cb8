package wire_test

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/limina-mcp/limina/internal/wire"
)

func FuzzDecodeString(f *testing.F) {
	for _, s := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e4\u6f22"`, `"\ud83d\ude00"`, `"\uD83D"`, `"\ud83d\u0041"`, `"\ud83dx"`, `"\ude00\ud83d\ude00"`,
		`"\ud83d\ud83d\ude00"`, `"\u12"`, `"\u123g"`, `"\x"`, `"\`, `"ä漢😀"`, "\"\xc3\"", "\"\x7f\"", `"eight...and more \u2028 with an escape"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want string
		err, wantErr := wire.Unmarshal(text, &got), json.Unmarshal(text, &want)
		if string(text) == "null" || !utf8.Valid(text) {
			wantErr = errors.New("refused by us only")
		}
		if (err == nil) != (wantErr == nil) || err == nil && got != want {
			t.Errorf("Unmarshal(%q) = %q, %v, want %q, %v", text, got, err, want, wantErr)
		}
	})
}

// The text types that are not as simple as an id.
type (
	bracketed string // anything, in brackets; only MarshalText
	appender  string // the same with AppendText
	only      string // the same without MarshalText
	failing   string
)

func (s bracketed) MarshalText() ([]byte, error)  { return []byte("<" + s + ">"), nil }
func (s *bracketed) UnmarshalText(b []byte) error { *s = bracketed(b); return nil }
func (s appender) MarshalText() ([]byte, error)   { return s.AppendText(nil) }
func (s *appender) UnmarshalText(b []byte) error  { *s = appender(b); return nil }
func (s failing) MarshalText() ([]byte, error)    { return nil, errors.New("cannot be written") }
func (s *failing) UnmarshalText(b []byte) error   { return errors.New("cannot be read") }
func (s appender) AppendText(b []byte) ([]byte, error) {
	if s == "bad" {
		return b, errors.New("is bad")
	}
	return append(append(append(b, '<'), s...), '>'), nil
}

func (o only) AppendText(b []byte) ([]byte, error) { return appender(o).AppendText(b) }
func (o *only) UnmarshalText(b []byte) error       { *o = only(b); return nil }

func TestTextTypes(t *testing.T) {
	type all struct {
		Free     bracketed `json:"free"`
		Appender appender  `json:"appender"`
	}
	for text, want := range map[string]string{
		`{"free":"a","appender":"b"}`:                   `{"free":"<a>","appender":"<b>"}`,
		`{"free":"\u00e4\n","appender":"\"\u00e4\\\n"}`: `{"free":"<ä\n>","appender":"<\"ä\\\n>"}`,
	} {
		var v all
		if err := wire.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("Unmarshal(%s): %v", text, err)
		}
		got, err := wire.PlanOf[all]().Append(nil, &v)
		if err != nil || string(got) != want || string(got) != reference(t, &v) {
			t.Errorf("Append after Unmarshal(%s) = %s, %v, want %s", text, got, err, want)
		}
	}

	var alone only
	if err := wire.Unmarshal([]byte(`"a"`), &alone); err != nil {
		t.Errorf("Unmarshal of a type without MarshalText: %v", err)
	}
	if got, err := wire.PlanOf[only]().Append(nil, &alone); err != nil || string(got) != `"<a>"` {
		t.Errorf("Append of a type without MarshalText = %s, %v", got, err)
	}

	if _, err := wire.PlanOf[all]().Append(nil, &all{Appender: "bad"}); err == nil || err.Error() != "appender: is bad" {
		t.Errorf("Append of what AppendText refuses: %v", err)
	}
	var broken struct {
		Failing failing `json:"failing"`
	}
	plan := compile(t, typeOf(&broken))
	if _, err := plan.Append(nil, &broken); err == nil || err.Error() != "failing: cannot be written" {
		t.Errorf("Append of what MarshalText refuses: %v", err)
	}
	if err := plan.Decode([]byte(`{"failing":""}`), &broken); err == nil || err.Error() != "failing: cannot be read" {
		t.Errorf("Decode of what UnmarshalText refuses: %v", err)
	}
}
