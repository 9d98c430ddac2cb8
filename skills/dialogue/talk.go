package dialogue

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/world"
)

// Talk is the conversation that a listener is in, as viewers get it.
type Talk struct {
	Tree    string          `json:"treeId"`
	Speaker world.ID        `json:"speaker"`
	Node    string          `json:"nodeId"`
	Name    string          `json:"name,omitempty"` // what the speaker is called
	Text    string          `json:"text"`
	Mood    string          `json:"mood,omitempty"`
	Choices []Offer         `json:"choices"`
	Config  registry.Object `json:"config,omitempty"`   // of the node
	Range   float64         `json:"maxRange,omitempty"` // metres
	Since   uint64          `json:"since"`              // the simulation step in which it began
	By      string          `json:"by,omitempty"`       // who began it
}

// Offer is a choice that is offered.
type Offer struct {
	Text string `json:"text"`
	At   int    `json:"at"` // which of the node's it is
}

// past is what was said in the newest conversation of a listener.
type past struct {
	Speaker world.ID `json:"speaker"`
	Visits  []Visit  `json:"visits"`
}

// Visit is a node that a conversation came to.
type Visit struct {
	NodeID      string `json:"nodeId" jsonschema_description:"The node."`
	ChoiceIndex *int   `json:"choiceIndex,omitempty" jsonschema_description:"Which of its choices was made, counted from 0 among all that the tree has there; left out where it ended or goes on."`
}

// NodeOut is a node as those who talk get it.
type NodeOut struct {
	ID      string          `json:"id" jsonschema_description:"Its id in the tree."`
	Text    string          `json:"text" jsonschema_description:"What the speaker says."`
	Choices []ChoiceOut     `json:"choices" jsonschema_description:"What may be answered now. dialogue.choose takes the index."`
	Effects registry.Object `json:"effects,omitempty" jsonschema_description:"The effects of the node, as the tree has them. Those that the server knows are done."`
}

// ChoiceOut is a choice that is offered.
type ChoiceOut struct {
	Index int    `json:"index" jsonschema_description:"The choiceIndex of dialogue.choose."`
	Text  string `json:"text" jsonschema_description:"What is answered."`
}

// out returns the node that a conversation is at.
func (k *Talk) out() *NodeOut {
	n := &NodeOut{ID: k.Node, Text: k.Text, Choices: make([]ChoiceOut, len(k.Choices))}
	for i, o := range k.Choices {
		n.Choices[i] = ChoiceOut{Index: i, Text: o.Text}
	}
	return n
}

// why it was over, as dialogue.ended tells.
const (
	over    = "over"    // at a node without choices, or by a choice that leads nowhere
	ended   = "ended"   // by dialogue.end
	anew    = "anew"    // by dialogue.start of the two
	left    = "left"    // they are too far apart
	gone    = "gone"    // one of them is no more
	removed = "removed" // by dialogue.remove
)

// enter has a conversation come to a node: its effects, unless their author is banned, its text, its choices. over says that it ends there. why says why it cannot come
// there, and nothing of what was done may stay.
func (t *Talks) enter(tx *world.Tx, by string, tr *tree, listener world.ID, k Talk, n *node) (out *NodeOut, isOver bool, why string, err error) {
	effects := n.Effects
	if t.Does.Rests(&tx.View, tr.By) { // what is brought about is the author's doing; that his talk goes on is not
		effects = nil
	}
	if why, err := t.bring(tx, tr, listener, effects); why != "" || err != nil {
		return nil, false, why, err
	}
	if n.Mood != "" {
		if err := t.setMood(tx, k.Speaker, n.Mood); err != nil {
			return nil, false, "", err
		}
	}
	k.Node, k.Name, k.Text, k.Mood, k.Config = n.ID, n.Name, n.Text, n.Mood, n.Config
	if k.Choices, err = t.offers(&tx.View, listener, n); err != nil {
		return nil, false, "", err
	}
	if _, err := t.Social.Speak(tx, &social.Speech{Entity: k.Speaker, By: by, Name: n.Name, Text: n.Text, Mood: n.Mood, About: k.Tree}); err != nil {
		return nil, false, "", err
	}
	if err := t.talks.Set(tx, listener, k); err != nil {
		return nil, false, "", err
	}
	if err := t.visit(tx, listener, k.Speaker, n.ID); err != nil {
		return nil, false, "", err
	}
	out = k.out()
	out.Effects = effects
	if len(k.Choices) > 0 {
		return out, false, "", nil
	}
	return out, true, "", t.close(tx, by, listener, over)
}

// offers returns the choices of a node whose conditions hold for who listens.
func (t *Talks) offers(v *world.View, listener world.ID, n *node) ([]Offer, error) {
	list := []Offer{}
	for i := range n.Choices {
		c := &n.Choices[i]
		if c.If != "" {
			if is, err := t.Game.Holds(v, c.If, listener); err != nil || !is {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		list = append(list, Offer{c.Text, i})
	}
	return list, nil
}

// visit remembers that a conversation came to a node.
func (t *Talks) visit(tx *world.Tx, listener, speaker world.ID, id string) error {
	p, _ := t.pasts.Get(&tx.View, listener)
	p.Speaker, p.Visits = speaker, append(slices.Clone(p.Visits), Visit{NodeID: id})
	if n := len(p.Visits); n > MaxVisits {
		p.Visits = p.Visits[n-MaxVisits:]
	}
	return t.pasts.Set(tx, listener, p)
}

// chose remembers which choice was made at the newest node.
func (t *Talks) chose(tx *world.Tx, listener world.ID, at int) error {
	p, _ := t.pasts.Get(&tx.View, listener)
	p.Visits = slices.Clone(p.Visits)
	p.Visits[len(p.Visits)-1].ChoiceIndex = &at
	return t.pasts.Set(tx, listener, p)
}

// close ends the conversation of a listener, and announces it.
func (t *Talks) close(tx *world.Tx, by string, listener world.ID, reason string) error {
	k, _ := t.talks.Get(&tx.View, listener)
	t.talks.Remove(tx, listener)
	return t.announce(tx, "dialogue.ended", by, listener, &k, reason)
}

// happening is the data of the events of a conversation.
type happening struct {
	Tree     string          `json:"treeId"`
	Speaker  world.ID        `json:"speaker"`
	Listener world.ID        `json:"listener"`
	Node     string          `json:"nodeId,omitempty"`
	Choice   *int            `json:"choiceIndex,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Meta     registry.Object `json:"meta,omitempty"` // in the trace only
}

// announce tells viewers and those who listen of a conversation.
func (t *Talks) announce(tx *world.Tx, name, by string, listener world.ID, k *Talk, reason string) error {
	data, err := json.Marshal(happening{Tree: k.Tree, Speaker: k.Speaker, Listener: listener, Node: k.Node, Reason: reason})
	if err != nil {
		return err
	}
	at, _ := tx.Position(listener)
	return t.Does.Announce(tx, action.Event{Name: name, Entity: listener, At: &at, Data: data, By: by})
}
