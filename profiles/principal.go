package profiles

// Kind says what sort of caller a [Principal] is. It carries no rights.
type Kind string

// The kinds of caller.
const (
	KindUser     Kind = "user"     // a person
	KindApp      Kind = "app"      // the program that embeds the world
	KindAgent    Kind = "agent"    // a model, or a script in its place
	KindExternal Kind = "external" // a client of another system that reached us over the network
	KindOperator Kind = "operator" // whoever runs the server
)

// Principal is who makes a call. A session fixes it when it begins; nothing in a call's payload changes it. The zero
// Principal may do only what needs nothing.
type Principal struct {
	Kind    Kind
	ID      string // the agent's or user's id, as events name it
	Session string
	Profile string // the name Grants was resolved from, for messages and the record
	Grants  Grants
}
