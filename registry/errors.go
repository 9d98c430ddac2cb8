package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
)

// Code says what kind of failure an [Error] is. The codes are part of the wire contract.
type Code string

// The codes.
const (
	CodeNotFound         Code = "not_found"         // no such skill
	CodeInvalidInput     Code = "invalid_input"     // the message names every bad field
	CodeForbidden        Code = "forbidden"         // a permission or the policy is missing
	CodeCapacityExceeded Code = "capacity_exceeded" // a limit was reached; the message names it
	CodePendingApproval  Code = "pending_approval"  // held for a reviewer; the message is the approval id
	CodeConflict         Code = "conflict"          // somebody else has changed the same things since; the message says who and what
	CodeHandlerError     Code = "handler_error"     // the handler failed; nothing it did remains
)

// Problem is one thing wrong with an input: where, and what is allowed there.
type Problem = wire.Problem

// Error is a failure whose text may reach the caller. Handlers return one, by [Failf] or [Errorf],
// when the text helps the caller; the text of any other error stays in the log.
type Error struct {
	Code     Code      `json:"code"`
	Message  string    `json:"message"`
	Skill    string    `json:"-"` // of invalid_input: whose input it is; of a call inside the call, the inner skill
	Problems []Problem `json:"-"` // of invalid_input, by path
	Asked    string    `json:"-"` // of not_found: the name that no skill has
	Near     []string  `json:"-"` // of not_found: the nearest skill names
	Internal bool      `json:"-"` // of handler_error: the skill is broken, and what it said stays in the log

	// Missing is, of a forbidden call, the permission of the skill that its caller does not hold. It is empty where a gate or
	// the skill itself refuses, for reasons that the message says.
	Missing profiles.Permission `json:"-"`

	Cause error `json:"-"` // of one that is Internal: what went wrong. No peer is told
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Refusal returns the code and the message; see [Registry.Invoke].
func (e *Error) Refusal() (code, message string) { return string(e.Code), e.Message }

// Errorf returns an [Error] of the given code.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Failf returns a handler_error whose text reaches the caller.
func Failf(format string, args ...any) *Error { return Errorf(CodeHandlerError, format, args...) }

// Invalidf returns an invalid_input error, for what a handler finds wrong with its input that no tag
// can say: fields that do not go together. The text begins with the field.
func Invalidf(format string, args ...any) *Error { return Errorf(CodeInvalidInput, format, args...) }

// Under puts in front of what err says where it is: a field, or "node 3 of the file". The caller reads both if err is one that
// reaches him at all. nil stays nil.
func Under(where string, err error) error {
	var ref refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ref):
		code, message := ref.Refusal()
		return Errorf(Code(code), "%s: %s", where, message)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// refusal is what errors of packages that cannot import registry implement to have their text
// reach the caller, [Error] included.
type refusal interface {
	error
	Refusal() (code, message string)
}

// Said returns what anybody may be told of an error that answers no call, such as one of a simulation step: its text if that reaches
// callers, else that it failed.
func Said(err error) string {
	var ref refusal
	if errors.As(err, &ref) {
		_, text := ref.Refusal()
		return text
	}
	return "it failed"
}

// publicError returns what the caller may know of err, and whether that is all there is. The text
// of an error that is no refusal stays inside: the caller gets the call's number to quote.
func publicError(err error, intent uint64, outward bool) (e *Error, whole bool) {
	if errors.As(err, &e) {
		if code := knownCode(string(e.Code)); code != e.Code {
			e = &Error{Code: code, Message: e.Message}
		}
		return e, true
	}
	var ref refusal
	if errors.As(err, &ref) {
		code, msg := ref.Refusal()
		return &Error{Code: knownCode(code), Message: msg}, true
	}
	left := "nothing was changed"
	if outward {
		left = "nothing was changed in this world, but what it does elsewhere may be done"
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Failf("timed out; %s", left), true
	case errors.Is(err, context.Canceled):
		return Failf("cancelled; %s", left), true
	}
	e = Failf("internal error in call %d; %s", intent, left)
	e.Internal, e.Cause = true, err
	return e, false
}

func knownCode(code string) Code {
	switch c := Code(code); c {
	case CodeNotFound, CodeInvalidInput, CodeForbidden, CodeCapacityExceeded, CodePendingApproval, CodeConflict, CodeInputRequired:
		return c
	default:
		return CodeHandlerError
	}
}

// inputError turns what a plan says of an input of c's skill into an invalid_input error.
func (c *Call) inputError(err error) *Error {
	e := &Error{Code: CodeInvalidInput, Message: err.Error(), Skill: c.skill.info.Name}
	var ps wire.Errors
	if errors.As(err, &ps) {
		ps = c.elsewhere(c.skill, ps)
		e.Message, e.Problems = ps.Error(), ps
	}
	return e
}

// Faults returns what the caller of c would be told about an input of k before its handler ran. It makes no call: nothing is
// permitted, counted or recorded. Of the zero Skill it is nothing.
func (c *Call) Faults(k Skill, input []byte) []Problem {
	if k.s == nil {
		return nil
	}
	if len(input) == 0 {
		input = emptyObject
	}
	f := k.s.frame()
	defer k.s.release(f)
	err := f.decode(input)
	if err == nil {
		return nil
	}
	var ps wire.Errors
	if !errors.As(err, &ps) {
		return []Problem{{Message: err.Error()}}
	}
	return c.elsewhere(k.s, ps)
}

// changes reports whether the skill makes or changes entities: it writes, and has them in its input or output.
func (s *skill) changes() bool {
	if s.info.Effect == Reads || s.raw() {
		return false
	}
	p := s.plans()
	fields := p.in.Fields()
	if s.info.Effect != Destroys { // what that tells of is gone, or is what it was
		fields = slices.Concat(fields, p.out.Fields())
	}
	return slices.ContainsFunc(fields, func(name string) bool {
		return name == "entity" || name == "entities" || name == "group"
	})
}

// elsewhere adds to what is wrong with an input of a skill which other sets what its unknown keys name: the first that the
// caller may call, before all one whose name has a word of that skill's (who is to player.move somewhere is told of navmesh.moveTo), with the
// field of its input that goes by that name; see [Spec.Sets].
func (c *Call) elsewhere(asked *skill, ps wire.Errors) wire.Errors {
	if !asked.changes() {
		return ps
	}
	akin := func(k Skill) int {
		_, own, _ := strings.Cut(asked.info.Name, ".")
		_, its, _ := strings.Cut(k.Name(), ".")
		words := wire.Words(its)
		if slices.ContainsFunc(wire.Words(own), func(word string) bool { return slices.Contains(words, word) }) {
			return 0
		}
		return 1
	}
	return ps.Elsewhere(func(key string) (whom, field string, named bool) {
		all := slices.Clone(c.reg.List(Filter{Grants: &c.principal.Grants}))
		slices.SortStableFunc(all, func(a, b Skill) int { return cmp.Compare(akin(a), akin(b)) })
		for _, k := range all {
			if k.s == asked || k.s.info.Sets == "" || k.s.raw() {
				continue
			}
			if name := wire.Field(key, strings.Fields(k.s.info.Sets)); name != "" {
				fields := k.s.plans().in.Fields()
				return k.Name(), cmp.Or(wire.Field(key, fields), wire.Field(name, fields), wire.Nearest(name, fields)), wire.Same(key, name)
			}
		}
		return "", "", false
	})
}

// Unknown returns the not_found error of a name that nobody registered, with the nearest names of
// skills that grants allow (nil: of any). A name of any length makes a short message.
func (r *Registry) Unknown(name string, grants *profiles.Grants) *Error {
	name = shortName(name)
	e := &Error{Code: CodeNotFound, Message: "unknown skill: " + name, Asked: name, Near: r.Near(name, grants)}
	if len(e.Near) > 0 {
		e.Message += ". Nearest: " + strings.Join(e.Near, ", ")
	} else if k := r.finder(grants); k.s != nil {
		e.Message += ". " + k.Name() + " finds skills by words"
	}
	return e
}

// shortName bounds a name that came from outside.
func shortName(name string) string {
	if len(name) > 2*MaxNameLength {
		name = name[:2*MaxNameLength] + "…"
	}
	return strings.ToValidUTF8(name, "")
}
