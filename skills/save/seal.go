package save

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// file is what the text of a save holds.
type file struct {
	slot
	Name string `json:"name"`
}

// version is how the text of a save begins. After it comes gzip of the JSON of a file, and then the HMAC-SHA256 of both, both in base64url.
const version = "limina-save-1."

var encoding = base64.RawURLEncoding

// seal returns the text of a save.
func (s *Saves) seal(name string, row slot) (string, error) {
	if row.Own {
		row.Own, row.Of = false, s.here()
	}
	f := file{row, name}
	key, err := s.secret()
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	plain := json.NewEncoder(z) // a bytes.Buffer takes everything
	plain.SetEscapeHTML(false)  // or a text of signs for less and more was three times as long, and could not be opened
	if err := plain.Encode(f); err != nil {
		return "", err
	}
	_ = z.Close()
	text := encoding.AppendEncode([]byte(version), packed.Bytes())
	if len(text)+1+encoding.EncodedLen(sha256.Size) > MaxText {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "%q is too large to be a text, which may have %d bytes: it would have %d. A server that was started with --world keeps its world; scene.export writes parts of it",
			name, MaxText, len(text))
	}
	return string(encoding.AppendEncode(append(text, '.'), sum(key, text))), nil
}

// open reads the text of a save, of this key only.
func (s *Saves) open(text string) (*file, error) {
	if len(text) > MaxText {
		return nil, registry.Failf("data: a save has at most %d bytes, got %d", MaxText, len(text))
	}
	text = strings.TrimSpace(text)
	body, ok := strings.CutPrefix(text, version)
	if !ok {
		return nil, registry.Failf("data: it is no save: one begins with %q, as save.slot has returned it by action load", version)
	}
	body, mac, _ := strings.Cut(body, ".")
	packed, err := encoding.DecodeString(body)
	if err != nil {
		return nil, registry.Failf("data: the text has been changed or cut: %v", err)
	}
	key, err := s.secret()
	if err != nil {
		return nil, err
	}
	got, _ := encoding.DecodeString(mac)
	if !hmac.Equal(got, sum(key, []byte(version+body))) {
		return nil, registry.Failf("data: the text has been changed or cut, or it is of a server with another key: only one with the same key opens a save (--save-key)")
	}
	// From here on it is what seal has written.
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("read a sealed save: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, 2*MaxBytes))
	if err != nil {
		return nil, fmt.Errorf("read a sealed save: %w", err)
	}
	f := new(file)
	if err := json.Unmarshal(plain, f); err != nil {
		return nil, fmt.Errorf("read a sealed save: %w", err)
	}
	if f.Own = f.Of == s.here(); f.Own {
		f.Of = ""
	}
	return f, nil
}

// secret returns the key.
func (s *Saves) secret() ([]byte, error) {
	key, err := s.key()
	if err != nil {
		return nil, fmt.Errorf("the key of saves: %w", err)
	}
	if len(key) != KeySize {
		return nil, errors.New("the key of saves has another size than 32 bytes")
	}
	return key, nil
}

func sum(key, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return h.Sum(nil)
}
