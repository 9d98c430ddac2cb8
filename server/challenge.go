package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// wellKnown is where a resource server says whose tokens it takes: RFC 9728.
const wellKnown = "/.well-known/oauth-protected-resource"

// describes reports whether a path is one of those where the metadata are looked for.
func (o *OAuth) describes(path string) bool {
	return path == wellKnown || path == o.metadataURL().Path
}

// metadataURL is where clients find the metadata: the path of the resource stands behind the well-known
// one.
func (o *OAuth) metadataURL() *url.URL {
	u, err := url.Parse(o.config.Resource)
	if err != nil { // it was checked
		return &url.URL{}
	}
	u.Path, u.RawQuery = wellKnown+strings.TrimSuffix(u.Path, "/"), ""
	return u
}

// describe answers with the metadata.
func (o *OAuth) describe(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Access-Control-Allow-Origin", "*") // a page may have to find out where to send its person
	_ = json.NewEncoder(w).Encode(struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported"`
		Methods  []string `json:"bearer_methods_supported"`
		Name     string   `json:"resource_name"`
	}{o.config.Resource, []string{o.config.Issuer}, o.scopes(), []string{"header"}, "Limina"})
}

// challenge is what WWW-Authenticate says to who was refused: RFC 6750, with RFC 9728's parameter.
func (o *OAuth) challenge(reason error) string {
	text := fmt.Sprintf(`Bearer resource_metadata="%s", scope="%s"`, o.metadataURL(), strings.Join(o.scopes(), " "))
	for _, known := range []error{errToken, errScope} {
		if errors.Is(reason, known) {
			text += fmt.Sprintf(`, error="%s"`, known)
		}
	}
	return text
}

// refusal is the answer to a token that was refused.
func (o *OAuth) refusal(reason error) *refusal {
	no := &refusal{status: http.StatusUnauthorized, text: reason.Error(), challenge: o.challenge(reason)}
	switch {
	case errors.Is(reason, errAway): // which is not the client's fault, and what the issuer says is not for him
		no.status, no.text, no.cause = http.StatusServiceUnavailable, errAway.Error(), reason
	case errors.Is(reason, errScope):
		no.status = http.StatusForbidden
	}
	return no
}
