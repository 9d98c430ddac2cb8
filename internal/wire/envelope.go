package wire

// Envelope is one JSON-RPC request or notification, taken apart. Its slices point
// into the line that was parsed; they are nil for what is not there.
type Envelope struct {
	ID     []byte // as it was sent: an integer, or a string with its quotes; nil for a notification
	Method []byte // without quotes
	Params []byte // any JSON value

	// The members of params, for the method tools/call only.
	Name      []byte // without quotes
	Arguments []byte // any JSON value, as are the other two
	Meta      []byte // _meta
	Context   []byte
}

// ParseEnvelope takes a whole JSON-RPC message apart in one pass that checks all of
// its syntax: when it returns true, line is one valid JSON value in valid UTF-8, and
// so is each span of e. It returns false, with e undefined, for whatever is odd or
// wrong, and the caller takes the slow way:
//
//   - not what [Valid] allows; not an object;
//   - "jsonrpc" other than "2.0"; no method; an id other than a string without
//     escapes or an integer; a member that a request does not have;
//   - escapes in a key or in the method; a member given twice;
//   - in a tools/call, params that are no object, lack the name, have escapes in it,
//     or hold anything but name, arguments, _meta and context, each at most once.
//
// It allocates nothing and keeps nothing.
//
// read, if it is not nil, is asked at most once to read the arguments of a tools/call that
// stand behind its name, so that nobody has to go through them twice. It returns the index
// behind the value at line[at], of which it must have checked what [Valid] does and that it
// nests no deeper than [MaxReadDepth]; or a negative one, and then they are passed over as
// without it. What it has read counts only if ParseEnvelope returns true.
func ParseEnvelope(line []byte, e *Envelope, read func(name, line []byte, at int) (end int)) bool {
	*e = Envelope{}
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return false
	}
	version, plainParams := false, false
	for {
		// A key stands behind the brace or the comma at i.
		var key int
		if key, i = messageKey(line, space(line, i+1)); i < 0 || i >= len(line) {
			return false
		}
		start := i
		switch key {
		case keyVersion:
			if i = skipWord(line, i, `"2.0"`); i < 0 || version {
				return false
			}
			version = true
		case keyID:
			if i = skipID(line, i); i < 0 || e.ID != nil {
				return false
			}
			e.ID = line[start:i]
		case keyMethod:
			if e.Method != nil {
				return false
			}
			if e.Method, i = plainString(line, i); i < 0 {
				return false
			}
		case keyParams:
			if e.Params != nil {
				return false
			}
			if line[i] == '{' {
				i, plainParams = e.params(line, i, read)
			} else {
				i = skipInside(line, i, 1)
			}
			if i < 0 {
				return false
			}
			e.Params = line[start:i]
		default:
			return false
		}
		if i = space(line, i); i >= len(line) {
			return false
		}
		if line[i] != ',' {
			break
		}
	}
	if line[i] != '}' || space(line, i+1) != len(line) || !version || len(e.Method) == 0 {
		return false
	}
	if string(e.Method) == "tools/call" {
		return plainParams
	}
	e.Name, e.Arguments, e.Meta, e.Context = nil, nil, nil, nil
	return true
}

// params reads the object at i as the params of a tools/call. It returns the index
// behind it, or a negative one for a syntax error, and whether it is that and no more.
func (e *Envelope) params(line []byte, i int, read func(name, line []byte, at int) int) (end int, plain bool) {
	if i = space(line, i+1); i < len(line) && line[i] == '}' {
		return i + 1, false
	}
	plain = true
	var name []byte
	for {
		key, at := callKey(line, i)
		if at < 0 {
			// Perhaps it only has escapes, which other methods may have in any key.
			plain = false
			if at = skipKey(line, i); at < 0 {
				return at, false
			}
		}
		i = -1
		switch {
		case key == keyName:
			name, i = plainString(line, at)
		case key == keyArguments && read != nil && name != nil && string(e.Method) == "tools/call":
			i, read = read(name, line, at), nil
		}
		if i < 0 {
			if i = skipInside(line, at, 2); i < 0 {
				return i, false
			}
		}
		if span := e.member(key); span != nil && *span == nil {
			*span = line[at:i]
		} else {
			plain = false
		}

		if i = space(line, i); i >= len(line) {
			return ^i, false
		}
		if line[i] == '}' {
			break
		}
		if line[i] != ',' {
			return ^i, false
		}
		i = space(line, i+1)
	}
	e.Name = name
	return i + 1, plain && name != nil
}

// member is where a member of params goes, nil if it is none that a tools/call has.
func (e *Envelope) member(key int) *[]byte {
	switch key {
	case keyName:
		return &e.Name
	case keyArguments:
		return &e.Arguments
	case keyMeta:
		return &e.Meta
	case keyContext:
		return &e.Context
	}
	return nil
}

// plainString reads the string at i, which must have no escapes.
func plainString(b []byte, i int) (text []byte, end int) {
	if i >= len(b) || b[i] != '"' {
		return nil, ^i
	}
	end, escaped := scanString(b, i+1)
	if end < 0 || escaped {
		return nil, ^i
	}
	return b[i+1 : end], end + 1
}

// The keys of a message, and those of the params of a tools/call.
const (
	keyVersion = iota
	keyID
	keyMethod
	keyParams
)

const (
	keyName = iota
	keyArguments
	keyMeta
	keyContext
)

// messageKey reads the key at i, which must have no escapes. It returns which of those of a
// message it is, -1 for none, and the index of its value. It begins with the spelling that
// nearly every writer uses.
func messageKey(b []byte, i int) (key, value int) {
	switch at := second(b, i); {
	case at == 'j' && begins(b, i, `"jsonrpc":`):
		return keyVersion, space(b, i+len(`"jsonrpc":`))
	case at == 'i' && begins(b, i, `"id":`):
		return keyID, space(b, i+len(`"id":`))
	case at == 'm' && begins(b, i, `"method":`):
		return keyMethod, space(b, i+len(`"method":`))
	case at == 'p' && begins(b, i, `"params":`):
		return keyParams, space(b, i+len(`"params":`))
	}
	name, value := plainKey(b, i)
	switch string(name) {
	case "jsonrpc":
		return keyVersion, value
	case "id":
		return keyID, value
	case "method":
		return keyMethod, value
	case "params":
		return keyParams, value
	}
	return -1, value
}

// callKey is messageKey for the params of a tools/call.
func callKey(b []byte, i int) (key, value int) {
	switch at := second(b, i); {
	case at == 'n' && begins(b, i, `"name":`):
		return keyName, space(b, i+len(`"name":`))
	case at == 'a' && begins(b, i, `"arguments":`):
		return keyArguments, space(b, i+len(`"arguments":`))
	case at == '_' && begins(b, i, `"_meta":`):
		return keyMeta, space(b, i+len(`"_meta":`))
	}
	name, value := plainKey(b, i)
	switch string(name) {
	case "name":
		return keyName, value
	case "arguments":
		return keyArguments, value
	case "_meta":
		return keyMeta, value
	case "context":
		return keyContext, value
	}
	return -1, value
}

// second returns the byte behind the one at i, 0 if there is none.
func second(b []byte, i int) byte {
	if i+1 >= len(b) {
		return 0
	}
	return b[i+1]
}

// plainKey reads the key at i, which must have no escapes, and returns the index of
// its value.
func plainKey(b []byte, i int) (key []byte, value int) {
	key, i = plainString(b, i)
	if i < 0 {
		return nil, i
	}
	if i = space(b, i); i >= len(b) || b[i] != ':' {
		return nil, ^i
	}
	return key, space(b, i+1)
}

// skipID returns the index behind the id at i: a string without escapes, or an
// integer. A fraction or an exponent is left to stand behind it, where nothing
// allows it.
func skipID(b []byte, i int) int {
	if b[i] == '"' {
		_, i = plainString(b, i)
		return i
	}
	if b[i] == '-' {
		i++
	}
	if i >= len(b) || !isDigit(b[i]) {
		return ^i
	}
	if b[i] == '0' {
		return i + 1
	}
	return digits(b, i+1)
}
