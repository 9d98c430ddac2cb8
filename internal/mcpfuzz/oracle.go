// Package mcpfuzz is what the fuzzers of the transports have in common: an oracle of which messages have to be
// answered, made of encoding/json, and a mutator that makes messages that are nearly right.
package mcpfuzz

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rs/zerolog"
)

// Expected returns the ids of the answers that a line must get, "" for an answer without one. batches says
// that an array is answered as one.
func Expected(line []byte, batches bool) []string {
	text := bytes.Trim(line, " \t\r\n")
	if len(text) == 0 {
		return nil
	}
	if !json.Valid(text) || !utf8.Valid(text) || depth(text) > 128 {
		return []string{""}
	}
	parts := Messages(text)
	if text[0] != '[' {
		return expectedOne(text)
	}
	if !batches || len(parts) == 0 {
		return []string{""}
	}
	var ids []string
	for _, part := range parts {
		ids = append(ids, expectedOne(part)...)
	}
	return ids
}

func expectedOne(text json.RawMessage) []string {
	if text[0] != '{' {
		return []string{""}
	}
	members := map[string][]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var v json.RawMessage
		_ = d.Decode(&v)
		members[key.(string)] = append(members[key.(string)], v)
	}
	id := ""
	if ids := members["id"]; len(ids) > 0 {
		if len(ids) > 1 || !usable(ids[0]) {
			return []string{""}
		}
		id = string(ids[0])
	}
	var version, method string
	wellFormed := len(members["jsonrpc"]) == 1 && json.Unmarshal(members["jsonrpc"][0], &version) == nil && version == "2.0" &&
		len(members["method"]) < 2 && len(members["params"]) < 2
	if !wellFormed {
		return []string{id}
	}
	if len(members["method"]) == 0 && len(members["result"])+len(members["error"]) > 0 {
		return nil
	}
	if len(members["method"]) != 1 || json.Unmarshal(members["method"][0], &method) != nil || method == "" {
		return []string{id}
	}
	if id == "" {
		return nil
	}
	return []string{id}
}

func usable(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	if i := bytes.IndexAny(id, "eE"); i >= 0 && len(bytes.TrimLeft(id[i+1:], "+-0")) > 4 { // big.Rat would take its time
		mantissa, ok := new(big.Rat).SetString(string(id[:i]))
		return ok && (mantissa.Sign() == 0 || id[i+1] != '-')
	}
	r, ok := new(big.Rat).SetString(string(id))
	return ok && r.IsInt()
}

func depth(text []byte) (deepest int) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // 1e400 is a number like any other
	for now := 0; ; {
		token, err := d.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			now++
			deepest = max(deepest, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
}

// Answered returns the ids that were answered, or acknowledged for good, sorted, "" for null and for none. Where the
// server made a mistake, the test fails.
func Answered(t testing.TB, said []string) (ids []string) {
	t.Helper()
	for _, s := range said {
		if !json.Valid([]byte(s)) {
			t.Fatalf("said what is no JSON: %q", s)
		}
		if strings.Contains(s, `{"code":-32603,"message":"internal error"}`) { // a skill's has more to say
			t.Errorf("the server panicked: %q", s)
		}
		for _, m := range Messages([]byte(s)) {
			var answer struct {
				JSONRPC string
				ID      json.RawMessage
				Method  string
				Params  struct {
					Meta map[string]json.RawMessage `json:"_meta"`
				}
				Result struct {
					Meta map[string]json.RawMessage `json:"_meta"`
				}
			}
			_ = json.Unmarshal(m, &answer) // a result may be anything
			const tag = "io.modelcontextprotocol/subscriptionId"
			switch {
			case answer.JSONRPC == "": // a packed delta
			case answer.Method == "notifications/subscriptions/acknowledged": // it stays open
				ids = append(ids, string(answer.Params.Meta[tag]))
			case answer.Method == "" && answer.Result.Meta[tag] == nil: // else it was acknowledged
				ids = append(ids, strings.TrimPrefix(string(answer.ID), "null"))
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// Messages takes a batch apart.
func Messages(text []byte) []json.RawMessage {
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) == nil {
		return batch
	}
	return []json.RawMessage{text}
}

// Logger returns a logger for a server under test: what a server logs as an error is a mistake of its own, and fails the test.
// No answer tells of one in what wants none.
func Logger(t testing.TB) zerolog.Logger {
	t.Helper()
	return zerolog.New(mistakes{t}).Level(zerolog.ErrorLevel)
}

type mistakes struct{ t testing.TB }

func (m mistakes) Write(line []byte) (int, error) {
	m.t.Errorf("the server made a mistake: %s", line)
	return len(line), nil
}
