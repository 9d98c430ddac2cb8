package server

import (
	"net/http/httptest"
	"time"
)

// SetWall has o go by another clock on the wall, before it is used.
func (o *OAuth) SetWall(wall func() time.Time) { o.wall = wall }

// Figures is what /metrics answers, also when the port is closed.
func (s *Server) Figures() string {
	w := httptest.NewRecorder()
	s.figures(w)
	return w.Body.String()
}
