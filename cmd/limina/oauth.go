package main

import (
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v4"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
)

// oauthFlags say whose tokens are taken.
type oauthFlags struct {
	issuer   string
	resource string
	jwks     string
	scopes   []string
}

func (o *oauthFlags) flags(fs *ff.FlagSet) {
	fs.StringVar(&o.issuer, 0, "oauth-issuer", "", "URL of the OAuth authorization server whose tokens (JWT) let clients in; every request then needs one")
	fs.StringVar(&o.resource, 0, "oauth-resource", "", "this server's URL as clients know it, as https://world.example.com/mcp: the audience of the tokens")
	fs.StringVar(&o.jwks, 0, "oauth-jwks", "", "URL of the issuer's keys (default: what its metadata say)")
	fs.Value(0, "oauth-scope", (*words)(&o.scopes), "SCOPE=PROFILE: what a scope of a token stands for, the most powerful first; several with spaces between, or given more than once")
}

// server is what the flags say, nil if nobody's tokens are taken.
func (o *oauthFlags) server(known *profiles.Set) (*server.OAuth, error) {
	if o.issuer == "" {
		if o.resource != "" || o.jwks != "" || len(o.scopes) > 0 {
			return nil, usageError{"--oauth-resource, --oauth-jwks and --oauth-scope go with --oauth-issuer"}
		}
		return nil, nil
	}
	c := server.OAuthConfig{Issuer: o.issuer, Resource: o.resource, JWKS: o.jwks}
	for _, s := range o.scopes {
		name, profile, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usageError{fmt.Sprintf("--oauth-scope %q: want SCOPE=PROFILE", s)}
		}
		c.Scopes = append(c.Scopes, server.Scope{Name: name, Profile: profile})
	}
	made, err := server.NewOAuth(c, known)
	if err != nil {
		return nil, usageError{"--oauth-issuer, --oauth-resource, --oauth-jwks, --oauth-scope: " + err.Error()}
	}
	return made, nil
}
