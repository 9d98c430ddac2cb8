package call

import (
	"strings"
	"testing"
)

func TestID(t *testing.T) {
	tests := []struct {
		message string
		id      int
		ok      bool
	}{
		{`{"jsonrpc":"2.0","id":0,"result":{}}`, 0, true},
		{`{"result":{},"id": 417,"jsonrpc":"2.0"}`, 417, true},
		{`{"jsonrpc":"2.0","id":"i","result":{}}`, 0, false},
		{`{"jsonrpc":"2.0","method":"notifications/message"}`, 0, false},
		{`{"id":`, 0, false},
	}
	for _, tt := range tests {
		if id, ok := ID([]byte(tt.message)); id != tt.id || ok != tt.ok {
			t.Errorf("ID(%s) = %d, %v; want %d, %v", tt.message, id, ok, tt.id, tt.ok)
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct{ message, wrong string }{
		{`{"id":1,"result":{"content":[],"structuredContent":{"entity":"ent_1"}}}`, ""},
		{`{"id":1,"result":{"content":[],"isError":true}}`, "refused"},
		{`{"id":1,"error":{"code":-32602,"message":"no"}}`, "refused"},
		{`{"id":1}`, "refused"},
		{`{"id":1`, "unexpected end"},
	}
	for _, tt := range tests {
		err := Check([]byte(tt.message))
		if (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("Check(%s) = %v; want something about %q", tt.message, err, tt.wrong)
		}
	}
}
