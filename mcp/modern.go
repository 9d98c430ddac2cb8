package mcp

import (
	"slices"
	"strconv"

	"github.com/limina-mcp/limina/registry"
)

// modern is the dialect of standard MCP without a handshake: that of the legacy versions, and what
// its results have to say besides. It knows nothing of any peer: all that counts stands in the
// message.
type modern struct {
	meta []byte // "_meta":{…}, of every result
	call []byte // what stands before the output of a call
}

var _ dialect = (*modern)(nil)

const openModern = `"result":{"resultType":"complete",`

func newModern(m *Mcp) modern {
	meta := append([]byte(`"_meta":{"`+serverInfoKey+`":`), m.appendServerInfo(nil)...)
	meta = append(meta, '}')
	return modern{meta: meta, call: slices.Concat([]byte(openModern), meta, []byte(`,"structuredContent":`))}
}

func (*modern) verb(name []byte) verb {
	switch string(name) {
	case "tools/call":
		return verbCall
	case "tools/list":
		return verbList
	default:
		return verbOther
	}
}

func (d *modern) method(name string) method {
	m := standardMethodOf(name)
	if m.run == nil || !m.modern {
		return nil
	}
	return func(c *conn, msg *message) ([]byte, *rpcError) {
		result, e := m.run(c, msg)
		if e != nil || result == nil && msg.later {
			return nil, e
		}
		return d.complete(result, m.cached), nil
	}
}

// complete makes a modern result of a legacy one, which is an object without _meta.
func (d *modern) complete(result []byte, c *caching) []byte {
	return d.appendComplete(make([]byte, 0, len(result)+len(d.meta)+64), result, c)
}

func (d *modern) appendComplete(dst, result []byte, c *caching) []byte {
	dst = append(dst, `{"resultType":"complete",`...)
	if c != nil {
		dst = strconv.AppendInt(append(dst, `"ttlMs":`...), int64(c.ttl), 10)
		if c.public {
			dst = append(dst, `,"cacheScope":"public",`...)
		} else {
			dst = append(dst, `,"cacheScope":"private",`...)
		}
	}
	dst = append(dst, d.meta...)
	if len(result) <= len("{}") {
		return append(dst, '}')
	}
	return append(append(dst, ','), result[1:]...)
}

func (d *modern) open(dst []byte) []byte { return append(dst, d.call...) }

func (d *modern) close(dst []byte, output int, req *registry.Request, r *registry.Result) []byte {
	dst = standard{v20260728}.closeResult(dst, output, req, r)
	if hasTerms(req) { // the _meta is there already, at the beginning
		end := output - len(d.call) + len(openModern) + len(d.meta) - 1
		dst = slices.Insert(dst, end, appendTerms([]byte{','}, req, r)...)
	}
	return dst
}

// refuse makes a tool result of a failure, as the legacy dialect does.
func (d *modern) refuse(dst []byte, f *failure) []byte {
	if f.session == nil || f.skill.Name() == "" {
		return standard{}.refuse(dst, f)
	}
	dst = append(append(dst, openModern...), d.meta...)
	return f.appendAdvice(append(dst, ','))
}

// listed is for how long a list of tools holds: it changes only when skills are registered, of which
// who listens is told.
var listed = caching{ttl: 60_000}

func (d *modern) list(l *toolLists, s *Session, m *message) ([]byte, *rpcError) {
	cursor, e := cursorOf(m)
	if e != nil {
		return nil, e
	}
	return l.page(s.grants(), cursor, 'm', func(page []byte) []byte { return d.complete(page, &listed) })
}

func (*modern) nullID() bool  { return false }
func (*modern) batches() bool { return false }

func (*modern) tells() bool { return true }
