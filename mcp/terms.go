package mcp

import (
	"bytes"
	"math"
	"strconv"

	"github.com/limina-mcp/limina/registry"
)

// The terms of a tool call say how it is to be made, whatever skill it is of: only tried out (dryRun), or
// only if nobody else has changed the same things since a revision (ifRevision). They stand apart from
// the skill's arguments, whose schemas are strict: in _meta under keys of ours, in either dialect, or, for
// native peers, beside arguments.
const (
	termPrefix    = "dev.limina/"
	dryRunKey     = termPrefix + "dryRun"
	ifRevisionKey = termPrefix + "ifRevision"
	revisionKey   = termPrefix + "revision" // of answers, as is the next one
	changesKey    = termPrefix + "changes"
)

// mayHaveTerms reports whether it is worth reading the terms of a call that was split. It costs next to
// nothing, because nearly no call has any.
func (m *message) mayHaveTerms() bool {
	return m.dryRun != nil || m.ifRevision != nil ||
		m.Meta != nil && (bytes.Contains(m.Meta, []byte(termPrefix)) || bytes.IndexByte(m.Meta, '\\') >= 0 || bytes.Contains(m.Meta, []byte(`"dryRun"`)) || bytes.Contains(m.Meta, []byte(`"ifRevision"`)))
}

// readTerms puts the terms of a call into its request. What looks like a term and is none is refused,
// because who misspells dryRun does not want the call to be made.
func (m *message) readTerms(isNative bool, r *registry.Request) (e *rpcError) {
	dryRun, ifRevision := m.dryRun, m.ifRevision
	if !isNative && (dryRun != nil || ifRevision != nil) {
		return invalidParams(`params: standard MCP has dryRun and ifRevision in _meta, as "` + dryRunKey + `" and "` + ifRevisionKey + `"`)
	}
	if len(m.Meta) > 0 && m.Meta[0] == '{' {
		eachMember(m.Meta, func(key string, value []byte) bool {
			switch {
			case key == dryRunKey && dryRun == nil:
				dryRun = value
			case key == ifRevisionKey && ifRevision == nil:
				ifRevision = value
			case key == dryRunKey || key == ifRevisionKey:
				e = invalidParams("_meta: " + key + ": given twice")
			case key == "dryRun" || key == "ifRevision":
				e = invalidParams("_meta: " + key + ": did you mean \"" + termPrefix + key + "\"?")
			case len(key) > len(termPrefix) && key[:len(termPrefix)] == termPrefix:
				e = invalidParams("_meta: " + clipped(key) + ": a tool call takes " + dryRunKey + " and " + ifRevisionKey)
			}
			return e == nil
		})
	}
	if e != nil {
		return e
	}
	switch string(dryRun) {
	case "", "false":
	case "true":
		r.DryRun = true
	default:
		return invalidParams("dryRun: must be true or false")
	}
	if ifRevision == nil {
		return nil
	}
	revision, err := strconv.ParseFloat(string(ifRevision), 64)
	if err != nil || !(revision >= 0 && revision <= 1<<53) || revision != math.Trunc(revision) {
		return invalidParams("ifRevision: must be a revision that you have seen, an integer from 0 on")
	}
	seen := uint64(revision)
	r.IfRevision = &seen
	return nil
}

// clipped returns a key of a peer's as a message may show it.
func clipped(key string) string {
	if len(key) > 64 {
		return key[:64] + "…"
	}
	return key
}

// hasTerms reports whether a call was made on terms: its answer then tells the revision.
func hasTerms(r *registry.Request) bool { return r.DryRun || r.IfRevision != nil }

// appendTerms appends what came of a call on terms, as members of a standard result's _meta.
func appendTerms(dst []byte, req *registry.Request, r *registry.Result) []byte {
	dst = strconv.AppendUint(append(dst, `"`+revisionKey+`":`...), r.Revision, 10)
	if req.DryRun {
		dst = append(append(dst, `,"`+dryRunKey+`":true,"`+changesKey+`":`...), r.Changes...)
	}
	return dst
}

// tried is what a model reads behind the output of a dry run, so that it does not take it for done.
func tried(r *registry.Result) string {
	return "This was a dry run: nothing was changed. It would change: " + string(r.Changes)
}
