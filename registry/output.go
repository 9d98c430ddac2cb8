package registry

import "cmp"

// MaxOutput bounds the output of a call that is answered in JSON, in bytes. What a peer asks for and does not read
// is held for it, and the batch that it is part of holds all of its answers.
const MaxOutput = 8 << 20

// TooLong is the refusal of a call whose output has more than [MaxOutput] bytes. The pipeline says it of what it has
// written; a handler that sees it coming returns it before it has gathered all that. It says how to ask for less, as [Spec.Less] has it.
func (c *Call) TooLong() *Error {
	return Errorf(CodeCapacityExceeded, "the answer has more than %d bytes: %s", MaxOutput, cmp.Or(c.skill.info.Less, "ask for less"))
}
