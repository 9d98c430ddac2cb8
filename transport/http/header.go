package httpmcp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limina-mcp/limina/mcp"
)

// The headers, as net/http spells them.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerResume  = "Last-Event-Id"
)

// mirrored holds the headers of a modern message against its body: whoever stands in between has
// looked at the headers only. It returns the answer to a message that is refused.
func mirrored(h http.Header, core *mcp.Mcp, o *mcp.Outline) (refusal []byte, code int) {
	if !o.Claims {
		if o.Kind == mcp.KindNotification {
			return nil, 0
		}
		return o.RefuseUnclaimed()
	}
	mirrors := append(make([]mcp.Mirror, 0, 4), mcp.Mirror{Header: headerVersion, Value: o.Version})
	if mcp.Modern(o.Version) {
		mirrors = core.AppendMirrors(mirrors, o)
	}
	for i := range mirrors {
		if problem := compare(h, &mirrors[i]); problem != "" {
			return o.Refuse(mcp.CodeHeaderMismatch, "Header mismatch: "+problem)
		}
	}
	return nil, 0
}

// compare says what is wrong with a header that has to repeat a value of the body, "" for nothing.
func compare(h http.Header, m *mcp.Mirror) string {
	values := h[http.CanonicalHeaderKey(m.Header)]
	switch {
	case len(values) > 1:
		return m.Header + " is there more than once"
	case m.Absent && len(values) == 0:
		return ""
	case m.Absent:
		return m.Header + " is there, and the body has no such value"
	case len(values) == 0:
		return fmt.Sprintf("%s is missing; the body says %q", m.Header, m.Value)
	}
	value := strings.Trim(values[0], " \t")
	if m.Coded {
		var ok bool
		if value, ok = decode(value); !ok {
			return m.Header + " is not well encoded: want visible ASCII, or =?base64?…?="
		}
	}
	if value == m.Value || m.Integer && sameInteger(value, m.Value) {
		return ""
	}
	return fmt.Sprintf("%s is %q, but the body says %q", m.Header, value, m.Value)
}

// decode takes the wrapping off a header's value.
func decode(value string) (string, bool) {
	inner, wrapped := strings.CutPrefix(value, "=?base64?")
	if wrapped {
		inner, wrapped = strings.CutSuffix(inner, "?=")
	}
	if !wrapped {
		for _, c := range []byte(value) {
			if c != '\t' && (c < ' ' || c > '~') {
				return "", false
			}
		}
		return value, true
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(raw), err == nil && utf8.Valid(raw)
}

// sameInteger compares integers as numbers: 42.0 is 42.
func sameInteger(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && x == y
}
