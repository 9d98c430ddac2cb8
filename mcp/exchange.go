package mcp

// Exchange is the way back of what came together, on a transport where each request has one of its
// own, as HTTP has: the answer goes there, and so does what is told or asked of the peer while the
// request is being served. Its methods are called by any goroutine and never wait for the peer.
type Exchange interface {
	// Tell takes a message that comes before the answer, and owns it from then on. It reports false
	// if the message was dropped, because the peer takes none or too much is waiting already.
	Tell(text []byte) bool

	// Answer is the last that an exchange gets, and every exchange gets it once. text is the answer,
	// or the array of them, and valid until Answer returns; it is nil if there is none: to what is
	// no request, and to what the peer has cancelled. code is the code of an answer that is an
	// error, and 0 for any other.
	Answer(text []byte, code int)
}

// tell hands in a message that belongs to an exchange, or, where the peer has one way for all, to its
// connection. It never waits and owns the text. It reports false if the message was dropped.
func (c *conn) tell(x Exchange, text []byte) bool {
	switch {
	case x != nil:
		return x.Tell(text)
	case c.loose != nil:
		return c.loose(text)
	default:
		return c.out.post(c.framer.Seal(text, 0))
	}
}

// reply hands in an answer that was made beside the reading goroutine, nil if there is to be none. On
// a connection it waits for a peer that is slow to read.
func (c *conn) reply(x Exchange, answer []byte) {
	switch {
	case x != nil && answer == nil:
		x.Answer(nil, 0)
	case x != nil:
		x.Answer(answer, errorCode(answer))
	case answer != nil:
		_ = c.out.send(c.framer.Seal(answer, 0))
	}
}

// outcomeAt returns where the result or error of an answer that we have written begins.
func outcomeAt(answer []byte) int {
	at := len(`{"jsonrpc":"2.0",`)
	if id := answer[at:]; len(id) > 5 && string(id[:5]) == `"id":` {
		at = skipValue(answer, at+5) + 1
	}
	return at
}

// errorCode returns the code of an answer that we have written, 0 if it is no error.
func errorCode(answer []byte) int {
	at := outcomeAt(answer)
	const head = `"error":{"code":-`
	if len(answer)-at < len(head) || string(answer[at:at+len(head)]) != head {
		return 0
	}
	code := 0
	for _, digit := range answer[at+len(head):] {
		if digit < '0' || digit > '9' {
			break
		}
		code = code*10 + int(digit-'0')
	}
	return -code
}
