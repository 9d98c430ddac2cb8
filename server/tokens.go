package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// minToken is the shortest token, in bytes: what is shorter can be guessed.
const minToken = 16

// Tokens say who may come in. They keep no token, only its hash, and are safe for concurrent use.
type Tokens struct {
	byHash map[[sha256.Size]byte]mcp.Credential
}

// tokenFile is a file of tokens.
type tokenFile struct {
	Tokens []tokenEntry `yaml:"tokens"`
}

// tokenEntry names a token, or its hash, and what it stands for.
type tokenEntry struct {
	Token     string   `yaml:"token"`
	SHA256    string   `yaml:"sha256"`
	Principal string   `yaml:"principal"`
	Profiles  []string `yaml:"profiles"`
}

// LoadTokens reads a file of tokens, YAML or JSON; known are the profiles that it may name:
//
//	tokens:
//	  - token: 3b1f0c2e9a7d4f60          # 16 characters at least …
//	    principal: ada                   # the agent id; "fleet-*" is any that begins with fleet-
//	    profiles: [builder.readWrite]    # the first is what a standard MCP session gets
//	  - sha256: 9f86d081884c7d65…        # … or its hash, in hex
//	    principal: grace
//	    profiles: [reviewer]
func LoadTokens(path string, known *profiles.Set) (*Tokens, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseTokens(data, path, known)
}

// ParseTokens is LoadTokens for the text of a file; errors call it name.
func ParseTokens(data []byte, name string, known *profiles.Set) (*Tokens, error) {
	var file tokenFile
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false)) // the lines around have tokens in them
	}
	if len(file.Tokens) == 0 {
		return nil, fmt.Errorf("%s: no tokens: want a list under the key tokens", name)
	}
	t := &Tokens{byHash: map[[sha256.Size]byte]mcp.Credential{}}
	for i, e := range file.Tokens {
		hash, err := e.check(known)
		if err == nil {
			if _, twice := t.byHash[hash]; twice {
				err = fmt.Errorf("the token is there twice")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: tokens[%d]: %w", name, i, err)
		}
		t.byHash[hash] = mcp.Credential{Principal: e.Principal, Profiles: e.Profiles}
	}
	return t, nil
}

// check returns the hash of a token that is declared well.
func (e *tokenEntry) check(known *profiles.Set) (hash [sha256.Size]byte, err error) {
	if e.Principal == "" || strings.Contains(strings.TrimSuffix(e.Principal, "*"), "*") {
		return hash, fmt.Errorf("principal: want an agent id, or the beginning of some and a *")
	}
	if len(e.Profiles) == 0 {
		return hash, fmt.Errorf("profiles: want at least one")
	}
	for _, p := range e.Profiles {
		if _, err := known.Resolve(p); err != nil {
			return hash, err
		}
	}
	switch {
	case (e.Token == "") == (e.SHA256 == ""):
		return hash, fmt.Errorf("want either token or sha256")
	case e.SHA256 != "":
		raw, err := hex.DecodeString(e.SHA256)
		if err != nil || len(raw) != sha256.Size {
			return hash, fmt.Errorf("sha256: want 64 hexadecimal digits")
		}
		return [sha256.Size]byte(raw), nil
	case len(e.Token) < minToken:
		return hash, fmt.Errorf("token: want %d characters at least", minToken)
	case strings.TrimSpace(e.Token) != e.Token:
		return hash, fmt.Errorf("token: has spaces around it, which no header keeps")
	}
	return sha256.Sum256([]byte(e.Token)), nil
}

// Credential returns what a token stands for, and false if it is none. It is what mcp.Options.Tokens
// wants.
func (t *Tokens) Credential(token string) (mcp.Credential, bool) {
	c, ok := t.byHash[sha256.Sum256([]byte(token))]
	return c, ok
}
