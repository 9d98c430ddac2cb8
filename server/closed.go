package server

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/seldom"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/transport/ws"
)

// ending is why a WebSocket has ended, for the figures.
type ending int

const (
	endLeft     ending = iota // the peer has gone
	endBroken                 // … without a word
	endShutdown               // we have
	endToken                  // its token is good no longer, or its agent is banned
	endPolicy                 // its peer reads nothing, answers nothing, or asks for too much
	endProtocol               // it does not speak as one does
	endCrowded                // others needed the room
	endings                   // how many there are
)

var endingNames = [endings]string{"left", "broken", "shutdown", "token", "policy", "protocol", "crowded"}

// closed counts how WebSockets have ended.
type closed struct {
	count [endings]atomic.Uint64
	notes seldom.Notes
}

// figures adds them to m.
func (c *closed) figures(m *metrics.Text) {
	m.Counter("limina_closed_total", "WebSocket connections that have ended, by why.")
	for why, name := range endingNames {
		m.Add(float64(c.count[why].Load()), "reason", name)
	}
}

// told is why a connection has ended that ended with an error, and what its peer is told.
func (s *Server) told(err error, p *mcp.Peer) (ending, error) {
	say := func(reason string) error { return &ws.Error{Code: ws.CodePolicy, Reason: reason} }
	switch {
	case errors.Is(err, mcp.ErrNoSession):
		return endPolicy, say(fmt.Sprintf("no session was initialized within %v", p.Patience))
	case errors.Is(err, mcp.ErrSeesTooMuch):
		return endPolicy, say(mcp.ErrSeesTooMuch.Error())
	case errors.Is(err, mcp.ErrUnread):
		return endPolicy, say(mcp.ErrUnread.Error())
	case errors.Is(err, mcp.ErrRevoked):
		return endToken, say("the token has been taken back")
	case errors.Is(err, mcp.ErrBanned):
		return endToken, say("whoever runs this server has banned you")
	case errors.Is(err, mcp.ErrReduced):
		return endToken, say("your profile does not grant any more what it did: come again with what it grants now")
	case errors.Is(err, errExpired):
		return endToken, say(errExpired.Error())
	case s.isClosing() && (err == nil || errors.Is(err, ws.ErrLeft)): // it was asked to
		return endShutdown, err
	case err == nil || errors.Is(err, ws.ErrLeft):
		return endLeft, err
	}
	var e *ws.Error
	switch {
	case s.isClosing():
		return endShutdown, err
	case !errors.As(err, &e):
		return endBroken, err
	case e.Code == ws.CodePolicy:
		return endPolicy, err
	case e.Code == ws.CodeTryAgain:
		return endCrowded, err
	default:
		return endProtocol, err
	}
}

// tellEnd counts the end of a connection from somewhere, of whoever has shown a token, nil for none, and has the log say it: of one that we had a reason to end where all see it.
func (s *Server) tellEnd(from string, whose *mcp.Credential, why ending, err error) {
	s.ended.count[why].Add(1)
	if err == nil {
		return
	}
	e := s.config.Logger.Debug()
	if why >= endToken {
		if left, ok := s.ended.notes.Note(time.Now()); ok {
			e = s.config.Logger.Info().EmbedObject(left)
		}
	}
	if whose != nil {
		e = e.Str("token", whose.Principal)
	}
	e.Str("from", from).Err(err).Msg("connection ended")
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}
