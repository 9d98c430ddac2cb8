package dialogue

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ChooseIn is the input of dialogue.choose.
type ChooseIn struct {
	Speaker     string          `json:"speaker,omitempty" validate:"omitempty,max=256" jsonschema_description:"With whom, as in dialogue.start. Left out: with whom the listener talks."`
	Listener    string          `json:"listener,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who chooses: yourself, or a character of yours. Left out: whoever is in the only conversation that is yours."`
	ChoiceIndex int             `json:"choiceIndex" validate:"gte=0" jsonschema_description:"Which of the choices that were offered last, counted from 0."`
	Meta        registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event dialogue.chosen."`
}

// ChooseOut is the output of dialogue.choose.
type ChooseOut struct {
	OK      bool            `json:"ok" jsonschema_description:"Whether it was chosen; if not, nothing has changed."`
	Node    *NodeOut        `json:"node,omitempty" jsonschema_description:"What is said now; left out where it is over without a word."`
	Ended   bool            `json:"ended,omitempty" jsonschema_description:"Whether it is over."`
	Effects registry.Object `json:"effects,omitempty" jsonschema_description:"The effects of the choice, as the tree has them. Those that the server knows are done."`
	Reason  string          `json:"reason,omitempty" jsonschema_description:"Why it was not chosen, and what would help."`
}

// Choose is dialogue.choose.
func Choose(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[ChooseIn, ChooseOut]{
		Name:  "dialogue.choose",
		Title: "Answer in a conversation",
		Description: "Make one of the choices that are offered: what it brings about is done, and the conversation comes to the next node or ends. dialogue.get says which choices there are. " +
			`Example: {"choiceIndex":0}, or, where there are several conversations, {"speaker":"ent_7","listener":"ent_3","choiceIndex":0}`,
		Keywords:    "reply select option pick respond",
		Permissions: []profiles.Permission{"dialogue.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ChooseIn) (ChooseOut, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (ChooseOut, error) {
				speaker, listener, err := t.two(&tx.View, c.Principal(), in.Speaker, in.Listener)
				if err != nil {
					return ChooseOut{}, err
				}
				if err := registry.Under("listener", t.Acts(&tx.View, c.Principal(), listener)); err != nil {
					return ChooseOut{}, err
				}
				k, why := t.talk(&tx.View, speaker, listener)
				if why == "" {
					why = far(&tx.View, speaker, listener, k.Range)
				}
				if why != "" {
					return ChooseOut{Reason: why}, nil
				}
				mark := tx.Savepoint()
				out, err := t.choose(tx, c.Principal().ID, &k, listener, in.ChoiceIndex)
				if !out.OK {
					tx.RollbackTo(mark)
					return out, err
				}
				return out, c.Emit("dialogue.chosen", happening{Tree: k.Tree, Speaker: speaker, Listener: listener, Node: k.Node, Choice: &k.Choices[in.ChoiceIndex].At, Meta: in.Meta})
			})
		},
	})
}

// choose makes a choice. What it has changed must not stay where the answer is no.
func (t *Talks) choose(tx *world.Tx, by string, k *Talk, listener world.ID, i int) (ChooseOut, error) {
	if i >= len(k.Choices) {
		return ChooseOut{}, registry.Invalidf("choiceIndex: must be from 0 to %d, got %d: those are offered", len(k.Choices)-1, i)
	}
	tr, ch := t.offered(&tx.View, k, i)
	if ch == nil {
		return ChooseOut{Reason: fmt.Sprintf("the dialogue %q was written anew since: dialogue.start begins again", k.Tree)}, nil
	}
	if ch.If != "" {
		if is, err := t.Game.Holds(&tx.View, ch.If, listener); err != nil || !is {
			return ChooseOut{Reason: "this cannot be chosen any more: its condition does not hold"}, err
		}
	}
	if err := t.chose(tx, listener, k.Choices[i].At); err != nil {
		return ChooseOut{}, err
	}
	if why, err := t.bring(tx, tr, listener, ch.Effects); why != "" || err != nil {
		return ChooseOut{Reason: why}, err
	}
	if ch.Next == "" {
		return ChooseOut{OK: true, Ended: true, Effects: ch.Effects}, t.close(tx, by, listener, over)
	}
	out, isOver, why, err := t.enter(tx, by, tr, listener, *k, tr.node(ch.Next))
	if why != "" || err != nil {
		return ChooseOut{Reason: why}, err
	}
	return ChooseOut{OK: true, Node: out, Ended: isOver, Effects: ch.Effects}, nil
}

// offered returns the choice that was offered, nil if the tree has another one there by now.
func (t *Talks) offered(v *world.View, k *Talk, i int) (*tree, *choice) {
	tr, ok := t.trees.Get(v, k.Tree)
	if !ok {
		return nil, nil
	}
	n, offer := tr.node(k.Node), k.Choices[i]
	if n == nil || offer.At >= len(n.Choices) || n.Choices[offer.At].Text != offer.Text {
		return nil, nil
	}
	return &tr, &n.Choices[offer.At]
}
