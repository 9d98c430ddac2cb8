package httpmcp

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/mcp"
)

// head is the head of a request that is plain, and what has been found out by it.
type head struct {
	before, after []byte // of the digits of Content-Length
	header        http.Header
	takes         takes
	peer          mcp.Peer
}

// maxDigits is how many digits the length of a plain body may have.
var maxDigits = len(strconv.Itoa(maxPlain))

// fits reports whether text is this head, but perhaps for the length of the body, which it returns.
func (h *head) fits(text []byte) (length int, ok bool) {
	if h == nil || !bytes.HasPrefix(text, h.before) {
		return 0, false
	}
	text = text[len(h.before):]
	n := len(text) - len(h.after)
	if n < 1 || n > maxDigits || !bytes.Equal(text[n:], h.after) || text[0] == '0' {
		return 0, false
	}
	for _, c := range text[:n] {
		if c < '0' || c > '9' {
			return 0, false
		}
		length = length*10 + int(c-'0')
	}
	return length, length <= maxPlain
}

// judge returns the head that text is, nil if the request is not plain: if there is anything about it but
// its length and what the endpoint reads, or if it may not be answered here. The length is that of the body. It has come on c.
func (f *Front) judge(text []byte, c net.Conn) (h *head, length int) {
	before, after, ok := split(text)
	if !ok {
		return nil, 0
	}
	r, err := http.ReadRequest(bufio.NewReaderSize(bytes.NewReader(text), len(text)))
	if err != nil || r.Method != http.MethodPost || r.RequestURI != f.opts.Path || r.Proto != "HTTP/1.1" || r.Host == "" || r.Close {
		return nil, 0
	}
	for _, name := range [...]string{"Origin", "Expect", "Upgrade", "Trailer"} {
		if _, there := r.Header[name]; there {
			return nil, 0
		}
	}
	h = &head{before: bytes.Clone(before), after: bytes.Clone(after), header: r.Header}
	var problem string
	if h.takes, _, problem = vet(r.Header); problem != "" {
		return nil, 0
	}
	if length, ok = h.fits(text); !ok || int64(length) != r.ContentLength {
		return nil, 0
	}
	if h.peer, ok = f.opts.Admit(r.WithContext(f.opts.ConnContext(f.ctx, c))); !ok {
		return nil, 0
	}
	return h, length
}

// split takes a head apart where its body's length stands. It fails if two readers could be of two minds
// about the head: if a line is not a name and a value of visible ASCII, if the length or the host is not
// there exactly once, if the host is none, or if the body may be coded.
func split(text []byte) (before, after []byte, ok bool) {
	lengths, hosts := 0, 0
	lines := text[:len(text)-len("\r\n")]
	for at, first := 0, true; at < len(lines); first = false {
		end := bytes.Index(lines[at:], []byte("\r\n"))
		if end < 0 || !visible(lines[at:at+end]) {
			return nil, nil, false
		}
		line := lines[at : at+end]
		at += end + len("\r\n")
		if first {
			continue
		}
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found || !isName(name) {
			return nil, nil, false
		}
		switch strings.ToLower(string(name)) {
		case "host":
			if hosts++; !isHost(bytes.Trim(value, " ")) {
				return nil, nil, false
			}
		case "content-length":
			lengths++
			digits := bytes.Trim(value, " ")
			start := at - len("\r\n") - len(value) + bytes.Index(value, digits)
			before, after = text[:start], text[start+len(digits):]
		case "transfer-encoding":
			return nil, nil, false
		case "connection":
			if !strings.EqualFold(string(bytes.Trim(value, " ")), "keep-alive") {
				return nil, nil, false
			}
		}
	}
	return before, after, lengths == 1 && hosts == 1
}

// visible reports whether a line has nothing in it but visible ASCII and spaces.
func visible(line []byte) bool {
	for _, c := range line {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(line) > 0
}

// isHost reports whether a host is a name or an address, perhaps with a port.
func isHost(host []byte) bool {
	for _, c := range host {
		if !isWord(c) && c != '.' && c != ':' && c != '[' && c != ']' {
			return false
		}
	}
	return len(host) > 0
}

// isName reports whether a header's name is of letters, digits, - and _.
func isName(name []byte) bool {
	for _, c := range name {
		if !isWord(c) {
			return false
		}
	}
	return len(name) > 0
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
