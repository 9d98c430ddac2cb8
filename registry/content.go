package registry

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxAttached bounds what one call may attach to its answer, in bytes before any encoding.
const MaxAttached = 8 << 20

// ContentType says what a [Content] is.
type ContentType string

// The types of content.
const (
	ContentText     ContentType = "text"          // Text
	ContentImage    ContentType = "image"         // Data and MIMEType
	ContentAudio    ContentType = "audio"         // Data and MIMEType
	ContentResource ContentType = "resource"      // Resource: all of it
	ContentLink     ContentType = "resource_link" // URI and Name of a resource, and what else there is to say of it
)

// Content is something for a model or a person to read, see or hear, beside the output that a
// program reads. Make it with [Text], [Image], [Audio], [Embed] or [Link]. What it points to is not
// to be changed afterwards.
type Content struct {
	Type     ContentType `json:"type"`
	Text     string      `json:"text,omitempty"`
	Data     []byte      `json:"data,omitempty"` // base64 on the wire
	MIMEType string      `json:"mimeType,omitempty"`
	Resource *Contents   `json:"resource,omitempty"`

	// Of a link.
	URI         string `json:"uri,omitempty"`
	Name        string `json:"name,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
}

// Contents is what a resource holds: a text or, if Blob is not nil, bytes.
type Contents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Blob     []byte `json:"blob,omitempty"` // base64 on the wire

	Meta json.RawMessage `json:"_meta,omitempty"` // what else there is to know of it, an object; nil for nothing
}

// Text is a text to read, as it is or as Markdown.
func Text(text string) Content { return Content{Type: ContentText, Text: text} }

// Image is a picture: mimeType is "image/png" or the like.
func Image(mimeType string, data []byte) Content {
	return Content{Type: ContentImage, MIMEType: mimeType, Data: data}
}

// Audio is a sound: mimeType is "audio/wav" or the like.
func Audio(mimeType string, data []byte) Content {
	return Content{Type: ContentAudio, MIMEType: mimeType, Data: data}
}

// Embed is a resource with all that it holds.
func Embed(r Contents) Content { return Content{Type: ContentResource, Resource: &r} }

// Link points to a resource, which the client may read.
func Link(uri, name string) Content { return Content{Type: ContentLink, URI: uri, Name: name} }

// Check says what is wrong with the content, nil if nothing is.
func (c *Content) Check() error {
	switch c.Type {
	case ContentText:
		return checkText("text content", c.Text)
	case ContentImage, ContentAudio:
		if kind, _, ok := strings.Cut(c.MIMEType, "/"); !ok || kind != string(c.Type) {
			return fmt.Errorf("%s content: its MIME type is %q, want %s/…", c.Type, c.MIMEType, c.Type)
		}
		if len(c.Data) == 0 {
			return fmt.Errorf("%s content: there is no data", c.Type)
		}
		return nil
	case ContentResource:
		if c.Resource == nil {
			return fmt.Errorf("resource content: there is no resource")
		}
		return c.Resource.Check()
	case ContentLink:
		if c.Name == "" {
			return fmt.Errorf("a link to %s has no name", c.URI)
		}
		return checkURI(c.URI)
	default:
		return fmt.Errorf("%q is no type of content", c.Type)
	}
}

// Check says what is wrong with the contents, nil if nothing is.
func (c *Contents) Check() error {
	if c.Blob != nil && c.Text != "" {
		return fmt.Errorf("the contents of %s are a text and a blob: want one of them", c.URI)
	}
	if !utf8.ValidString(c.Text) {
		return fmt.Errorf("the text of %s is not UTF-8: bytes are a blob", c.URI)
	}
	return checkURI(c.URI)
}

// size is how many bytes the content has, before any encoding.
func (c *Content) size() int {
	n := len(c.Text) + len(c.Data) + len(c.URI) + len(c.Name) + len(c.Title) + len(c.Description)
	if c.Resource != nil {
		n += c.Resource.size()
	}
	return n
}

func (c *Contents) size() int { return len(c.URI) + len(c.Text) + len(c.Blob) }

func checkText(what, text string) error {
	switch {
	case text == "":
		return fmt.Errorf("%s is empty", what)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s is not UTF-8", what)
	}
	return nil
}

// checkURI refuses what is no absolute URI.
func checkURI(uri string) error {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || rest == "" || scheme == "" || !isLetter(scheme[0]) || !only(scheme, isSchemeByte) || !only(uri, isGraphic) {
		return fmt.Errorf("%q is no URI: want scheme:rest", shortName(uri))
	}
	return nil
}

func isSchemeByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.' }

// isGraphic reports whether a byte may be in a URI at all: no space, no control character, ASCII.
func isGraphic(c byte) bool { return c > ' ' && c < 0x7f }

// Attach adds content to the answer: a picture, a sound, a text for people. It stands behind what
// the call and the calls inside it have attached before, and goes to whoever made the outermost
// one; what a call has attached that then fails is dropped. The skill has to say [Spec.Attaches].
//
// Content that is none is an error, and so is more than [MaxAttached] in all: capacity_exceeded. The
// handler should return Attach's error.
func (c *Call) Attach(content ...Content) error {
	if !c.skill.info.Attaches {
		return fmt.Errorf("attach: skill %s does not say that it attaches", c.skill.info.Name)
	}
	size := 0
	for i := range c.root.content {
		size += c.root.content[i].size()
	}
	for i := range content {
		if err := content[i].Check(); err != nil {
			return fmt.Errorf("attach: %w", err)
		}
		size += content[i].size()
	}
	if size > MaxAttached {
		return Errorf(CodeCapacityExceeded, "the answer has %d bytes of content, at most %d are allowed", size, MaxAttached)
	}
	c.root.content = append(c.root.content, content...)
	return nil
}
