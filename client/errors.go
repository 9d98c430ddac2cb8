package client

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrLost is in the errors of calls that were on their way when the connection was lost: the server may or
// may not have carried them out.
var ErrLost = errors.New("the connection was lost before the answer came")

// ErrClosed is in the errors of everything that is asked of a client after [Client.Close].
var ErrClosed = errors.New("the client is closed")

// ErrUnsubscribed is what [View.Err] answers after [View.Unsubscribe].
var ErrUnsubscribed = errors.New("unsubscribed")

// ErrToken is in the errors of connections that the server refuses (401) because of the token, or because there is none. A client
// does not try again then, since it would only say the same: if it happens where a lost connection is to be made again, the
// client ends.
var ErrToken = errors.New("the server does not accept the token, or wants one: Dial anew with an Options.Token that it accepts")

// ErrProtocol is in the errors of connections that ended because the server sent what a server may not
// send. What it was is in the text.
var ErrProtocol = errors.New("the server broke the protocol")

func violation(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrProtocol, fmt.Errorf(format, args...))
}

// The JSON-RPC codes of failed calls.
const (
	CodeNoSession       = -32000
	CodeForbidden       = -32001
	CodeCapacity        = -32002
	CodePendingApproval = -32003 // the message is the id of the approval
	CodeConflict        = -32004 // others have changed the same things since: the message says who and what
	CodeNotFound        = -32601
	CodeInvalidInput    = -32602
	CodeHandlerError    = -32603
)

// Error is what the server answered instead of a result.
type Error struct {
	Code    int    // of JSON-RPC
	Reason  string // of a skill that failed: "not_found", "invalid_input", "forbidden", …; else ""
	Message string
	Data    json.RawMessage // as it came: of a skill that failed the MCPResponse

	Metadata Metadata // of a skill that failed, if the server has recorded the call
}

// Error says what was refused, and why.
func (e *Error) Error() string {
	if e.Reason != "" {
		return e.Reason + ": " + e.Message
	}
	return fmt.Sprintf("error %d: %s", e.Code, e.Message)
}

// wireError is the error member of an answer.
type wireError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// UnmarshalJSON reads the error member of an answer.
func (e *Error) UnmarshalJSON(text []byte) error {
	var wire wireError
	if err := json.Unmarshal(text, &wire); err != nil {
		return err
	}
	*e = Error{Code: wire.Code, Message: wire.Message, Data: wire.Data}
	var data struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
		Metadata Metadata `json:"metadata"`
	}
	if json.Unmarshal(wire.Data, &data) == nil { // data may be anything
		e.Reason, e.Metadata = data.Error.Code, data.Metadata
	}
	return nil
}
