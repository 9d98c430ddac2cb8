package dialogue

import (
	"fmt"
	"reflect"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// ChoiceIn is a choice that is to be.
type ChoiceIn struct {
	Text       string          `json:"text" validate:"max=280" jsonschema_description:"What the listener says, or does."`
	NextNodeID string          `json:"nextNodeId" validate:"max=128" jsonschema_description:"The node that it leads to; \"\" ends the conversation."`
	Condition  string          `json:"condition,omitempty" jsonschema_description:"When it is offered, as game.condition has it: counter(\"coins\") >= 3 and not flag(\"paid\"), and of who listens item(\"key\") >= 1, stat(\"hp\") < 10, quest(\"rats\") == \"active\", or available, completed, failed. Left out: always."`
	Effects    registry.Object `json:"effects,omitempty" jsonschema_description:"What it brings about. The server does game, as setState has it: {\"flag\":{\"name\":\"paid\"}}, {\"counter\":{\"name\":\"coins\",\"action\":\"decrement\",\"value\":3}}; event, the name of an event that is emitted about the listener; give and take, {\"itemId\":\"key\",\"quantity\":1}, for the listener's inventory; stats {\"score\":1,\"gold\":-5}, which are added to the listener's, from 0 on, or taken; xp 20. Who has too little to take cannot choose it. All else is only told to who has chosen."`
}

// NodeIn is a node that is to be.
type NodeIn struct {
	ID      string          `json:"id" validate:"min=1,max=128" jsonschema_description:"What choices call it."`
	Text    string          `json:"text" validate:"min=1,max=1000" jsonschema_description:"What is said."`
	Speaker string          `json:"speaker,omitempty" validate:"omitempty,max=128" jsonschema_description:"What viewers are told that the speaker is called: The old smith. Left out: the name of the entity."`
	Mood    string          `json:"mood,omitempty" validate:"omitempty,max=64" jsonschema_description:"The mood that the speaker comes into, as dialogue.setMood has it. Left out: it stays as it is."`
	Choices []ChoiceIn      `json:"choices,omitempty" validate:"omitempty,max=16" jsonschema_description:"What may be answered. Where none is, or none is offered, the conversation ends."`
	Effects registry.Object `json:"effects,omitempty" jsonschema_description:"What it brings about that this is said, as those of a choice."`
	Config  registry.Object `json:"config,omitempty" jsonschema_description:"What viewers get with the node, such as a portrait; changes nothing."`
}

// DefineIn is the input of dialogue.define.
type DefineIn struct {
	ID        string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Its name, for dialogue.start. One of that name is replaced."`
	Name      string          `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is about, for people."`
	StartNode string          `json:"startNode" validate:"max=128" jsonschema_description:"The id of the node that it begins with."`
	Nodes     []NodeIn        `json:"nodes" validate:"min=1,max=256" jsonschema_description:"What is said, and what may be answered. Choices have to lead from startNode to each of them."`
	Config    registry.Object `json:"config,omitempty" jsonschema_description:"maxRange: how many metres the two may be apart, else it does not begin, or ends. Left out: any, or where interaction.interact has begun it, twice as many as its maxRange. All else changes nothing."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Done is the output of the skills that can be answered with no.
type Done struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// DefineOut is the output of dialogue.define.
type DefineOut struct {
	Done
	Notes []string `json:"notes,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Define is dialogue.define.
func Define(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "dialogue.define",
		Title: "Write a conversation",
		Description: "Write a conversation as a tree: nodes that somebody says, and choices that lead from one to the next. dialogue.start has two hold it; the server says the texts, offers what conditions allow, and does the effects as you. For one line use dialogue.npcSay. " +
			`Example: {"id":"smith","name":"The smith","startNode":"hello","nodes":[{"id":"hello","text":"A sword?","speaker":"Smith","choices":[{"text":"Yes, for 3 coins.","nextNodeId":"sold","condition":"counter(\"coins\") >= 3","effects":{"game":{"counter":{"name":"coins","action":"decrement","value":3}}}},{"text":"No.","nextNodeId":""}]},{"id":"sold","text":"Here you are.","speaker":"Smith"}]}`,
		Keywords:    "conversation talk npc riddle quiz puzzle villager branching choices shopkeeper shop merchant trader vendor market trade buy sell purchase goods items story text answer question",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			tr, err := in.tree(c.Principal())
			if err != nil {
				return DefineOut{}, err
			}
			out := DefineOut{Done{OK: true}, tr.doubts()}
			return world.Do(t.World, c, func(tx *world.Tx) (DefineOut, error) {
				old, there := t.trees.Get(&tx.View, in.ID)
				if there && reflect.DeepEqual(old, tr) {
					return out, nil
				}
				if !there {
					of := share.Kept{Most: MaxTrees, What: "dialogues", Free: "dialogue.remove takes one away"}
					if err := share.RoomIn(&tx.View, &of, t.trees.All(&tx.View), tr.By, func(t *tree) string { return t.By }); err != nil {
						return DefineOut{}, err
					}
				}
				return out, t.trees.Set(tx, in.ID, tr)
			})
		},
	})
}

// maxNotes is how many notes there are at most about a tree.
const maxNotes = 16

// doubts says what of a tree may be a mistake.
func (t *tree) doubts() (notes []string) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		notes = append(notes, told(fmt.Sprintf("nodes[%d].effects", i), n.Effects)...)
		for j := range n.Choices {
			notes = append(notes, told(fmt.Sprintf("nodes[%d].choices[%d].effects", i, j), n.Choices[j].Effects)...)
		}
	}
	return notes[:min(len(notes), maxNotes)]
}

// tree returns what is kept of a tree that p writes.
func (in *DefineIn) tree(p *profiles.Principal) (tr tree, err error) {
	tr = tree{Name: in.Name, Start: in.StartNode, By: p.ID, Nodes: make([]node, len(in.Nodes))}
	for i := range in.Nodes {
		if tr.Nodes[i], err = in.Nodes[i].node(p, fmt.Sprintf("nodes[%d]", i)); err != nil {
			return tr, err
		}
	}
	if _, err := config.Read("config", in.Config, "maxRange", &tr.Range); err != nil {
		return tr, err
	}
	if tr.Range < 0 {
		return tr, registry.Invalidf("config.maxRange: must be a number of metres above 0, got %v", tr.Range)
	}
	if err := config.Fits("nodes", tr.size(), MaxTree); err != nil {
		return tr, err
	}
	return tr, tr.check()
}

// node returns what is kept of a node.
func (in *NodeIn) node(p *profiles.Principal, field string) (node, error) {
	n := node{ID: in.ID, Text: in.Text, Name: in.Speaker, Mood: in.Mood, Effects: some(in.Effects), Config: some(in.Config)}
	if err := checkEffects(p, field+".effects", n.Effects); err != nil {
		return n, err
	}
	for i := range in.Choices {
		c := &in.Choices[i]
		at := fmt.Sprintf("%s.choices[%d]", field, i)
		if c.Condition != "" {
			if err := game.AboutSomebody(c.Condition); err != nil {
				return n, registry.Under(at+".condition", err)
			}
		}
		if err := checkEffects(p, at+".effects", c.Effects); err != nil {
			return n, err
		}
		n.Choices = append(n.Choices, choice{c.Text, c.NextNodeID, c.Condition, some(c.Effects)})
	}
	return n, nil
}

// some returns nil for an object that holds nothing.
func some(o registry.Object) registry.Object {
	if string(o) == "{}" {
		return nil
	}
	return o
}
