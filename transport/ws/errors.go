package ws

import (
	"errors"
	"fmt"
)

// The close codes of RFC 6455, section 7.4.1, that are used.
const (
	CodeNormal      = 1000
	CodeGoingAway   = 1001
	CodeProtocol    = 1002
	CodeUnsupported = 1003
	CodeInvalidText = 1007
	CodePolicy      = 1008
	CodeTooBig      = 1009
	CodeInternal    = 1011
	CodeTryAgain    = 1013

	codeNone     = 1005 // a close frame without a code; never sent
	codeAbnormal = 1006 // no close frame; never sent
)

// Error is why a connection ends, as the peer is told it, or has told it.
type Error struct {
	Code   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("websocket: %d %s", e.Code, e.Reason) }

// errCrowded ends a connection whose message had been arriving for longer than others', where all of them were too much.
var errCrowded = &Error{CodeTryAgain, "too much is arriving at once: try again later, or faster"}

// ErrLeft says that the peer has closed the connection; the [Error] in it has what he said.
var ErrLeft = errors.New("the peer has closed the connection")

// ErrBroken says that a connection has ended without a close frame.
var ErrBroken = errors.New("websocket: the connection broke")

// errEnded is what writing says after the close frame, and reading after Close.
var errEnded = errors.New("websocket: the connection has ended")

// tooLong is the error of a message over the limit. The next one is final.
type tooLong struct{ limit int }

func (e *tooLong) Error() string {
	return fmt.Sprintf("message longer than the limit of %d bytes", e.limit)
}

// TooLong returns the limit; by this method other packages know the error.
func (e *tooLong) TooLong() (limit int) { return e.limit }
