package server

import (
	"encoding/json"
	"net/http"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// mayWatch is the permission without which nobody learns of others' sessions where tokens are needed: whoever has it reads what they do, too.
const mayWatch profiles.Permission = "trace.read"

// sessions answers /sessions, if who asks may know.
func (s *Server) sessions(w http.ResponseWriter, r *http.Request, who *access) {
	if s.checks.needsToken() && !s.config.Core.Opens(who.credential(), mayWatch) {
		s.deny(w, r, &refusal{status: http.StatusForbidden, text: "none of the token's profiles has the permission " + string(mayWatch) + ", which this page is for: system.readonly has it"})
		return
	}
	all := s.config.Core.Sessions()
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	_ = e.Encode(struct {
		Sessions []mcp.Standing `json:"sessions"`
	}{all})
}
