package registry

// Effect is what a skill claims to do to the world. It becomes the annotations that MCP clients
// show to people, so a claim must be true; the zero value claims nothing. A call from outside of a
// skill that claims Reads fails if it has changed something.
type Effect uint8

// The effects, from the least claim to the strongest.
const (
	Anything Effect = iota // may change or destroy anything
	Writes                 // adds or changes, never destroys
	Destroys               // may destroy
	Reads                  // changes nothing
)

// String returns the effect's name in lower case.
func (e Effect) String() string {
	switch e {
	case Writes:
		return "writes"
	case Destroys:
		return "destroys"
	case Reads:
		return "reads"
	default:
		return "anything"
	}
}
