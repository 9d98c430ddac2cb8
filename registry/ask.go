package registry

import (
	"context"
	"encoding/json"
	"errors"
)

// Client is the other end of a call, as far as a handler may ask it something and tell it something.
// Whoever takes calls from clients gives one in [Request.Client]. It is used by the goroutine of the call.
type Client interface {
	// Can reports whether the client says that it answers questions of a kind.
	Can(kind QuestionKind) bool

	// Ask puts questions to the client and reads what it answers into them. It returns nil once
	// all are answered. A failure with [CodeInputRequired] says that they are on their way: the
	// call ends, and is made again when there are answers.
	Ask(ctx context.Context, skill *Info, questions []Question) error

	// Detach has the call go on without the request that made it, if the client takes such a call.
	Detach()

	// Log tells the client something while the call runs, if it wants to hear of that level.
	Log(level Level, logger string, data json.RawMessage)
}

// QuestionKind says what sort of question a [Question] is.
type QuestionKind uint8

// The kinds of question.
const (
	AskForm   QuestionKind = iota // an [Elicitation] with a form
	AskURL                        // an [Elicitation] with an address to visit
	AskSample                     // a [Sampling]
	AskRoots                      // a [RootsQuestion]
)

func (k QuestionKind) String() string {
	return [...]string{"elicitation", "elicitation in url mode", "sampling", "roots"}[k]
}

// Question is something that a handler asks of the client of its call: an [*Elicitation], a
// [*Sampling] or a [*RootsQuestion].
type Question interface {
	Kind() QuestionKind
	// Name tells the question from the others of the call; "" if its place among them does.
	Name() string
	// Method and Params are how MCP puts the question. It fails if the question is not well made.
	Method() string
	Params() (json.RawMessage, error)
	// Answer reads what the client said. It fails if that is no answer to the question.
	Answer(said json.RawMessage) error
}

// CodeInputRequired is how a call ends that has asked its client and cannot wait for the answer. It
// has changed nothing; the client makes it again with its answers.
const CodeInputRequired Code = "input_required"

// errOpenTransaction is a mistake of the skill.
var errOpenTransaction = errors.New("the handler asks its client while it has a transaction open: everybody would wait for the answer")

// Can reports whether the client of the call says that it answers questions of a kind.
func (c *Call) Can(kind QuestionKind) bool { return c.client != nil && c.client.Can(kind) }

// Ask puts questions to the client of the call, all at once, and returns when they are answered: the
// answers are in them. A skill that asks has to be Slow, and must not have a transaction open.
//
// Some clients cannot be waited for: then Ask fails, the handler returns that error, nothing of
// the call remains, and the handler is run again from its beginning when there are answers. So a
// handler asks the same questions in the same order whenever it has the same input, before it does
// anything else. The time that the client takes counts for the skill's Timeout.
//
// Whoever asks what the client does not answer (see [Call.Can]) gets an error that says so; it too
// is to be returned.
func (c *Call) Ask(questions ...Question) error {
	if c.root.tx != nil {
		return errOpenTransaction
	}
	if c.client == nil {
		return Failf("%s has a question for whoever calls, but this caller cannot be asked; nothing was changed", c.skill.info.Name)
	}
	if len(questions) == 0 {
		return nil
	}
	return c.client.Ask(c.Context(), &c.skill.info, questions)
}

// Elicit asks the person at the client. See [Call.Ask].
func (c *Call) Elicit(e Elicitation) (Elicited, error) {
	err := c.Ask(&e)
	return e.Answered, err
}

// Sample has the client's model write something. See [Call.Ask].
func (c *Call) Sample(s Sampling) (Sampled, error) {
	err := c.Ask(&s)
	return s.Answered, err
}

// Roots asks the client which places it works in. See [Call.Ask].
func (c *Call) Roots() ([]Root, error) {
	var q RootsQuestion
	err := c.Ask(&q)
	return q.Answered, err
}

// Detach says when a Slow call goes on without the request that made it: as a task, which the client
// asks about whenever it likes. That is so only for clients which say that they take tasks; for all
// others the call is answered when it is done.
type Detach uint8

// When calls are detached.
const (
	DetachEarly  Detach = iota // at once
	DetachLate                 // when the handler says so, by [Call.Detach]: what it asks before goes with the request
	DetachAlways               // at once; a modern client that does not take tasks is refused
)

// Detach has a call of a skill with [DetachLate] go on without the request that made it.
func (c *Call) Detach() {
	if c.client != nil {
		c.client.Detach()
	}
}
