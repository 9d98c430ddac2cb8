package dialogue

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// StartIn is the input of dialogue.start.
type StartIn struct {
	TreeID   string          `json:"treeId" validate:"max=128" jsonschema_description:"What about, as dialogue.define named it."`
	Speaker  string          `json:"speaker" validate:"max=256" jsonschema_description:"Who speaks: the id of an entity, such as ent_7, or of an agent with a body."`
	Listener string          `json:"listener,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who listens and chooses: yourself, by your own id or your body's, a character of yours, or what is nobody's. Left out: your body, or your character if you have one only."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event dialogue.started."`
}

// StartOut is the output of dialogue.start.
type StartOut struct {
	OK          bool     `json:"ok" jsonschema_description:"Whether it has begun; if not, nothing has changed."`
	CurrentNode *NodeOut `json:"currentNode,omitempty" jsonschema_description:"What is said, and what may be answered."`
	Ended       bool     `json:"ended,omitempty" jsonschema_description:"Whether it is over with that, because nothing may be answered."`
	Reason      string   `json:"reason,omitempty" jsonschema_description:"Why it has not begun, and what would help."`
}

// Start is dialogue.start.
func Start(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[StartIn, StartOut]{
		Name:  "dialogue.start",
		Title: "Talk to somebody",
		Description: "Begin a conversation of dialogue.define: the speaker says the first node, and the answer has the choices for dialogue.choose. Those who see the place hear it. The two talk anew if they do already. Who may not define dialogues (dialogue.configure) begins one for which things are registered (interaction.register with talk) with one of these, and near it, as interaction.interact does. " +
			`Example: {"treeId":"smith","speaker":"ent_7","listener":"ent_3"}`,
		Core:        true,
		Keywords:    "conversation speak npc begin dialog shop ask",
		Permissions: []profiles.Permission{"dialogue.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in StartIn) (StartOut, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (StartOut, error) {
				tr, err := t.find(&tx.View, in.TreeID)
				if err != nil && !c.Principal().Grants.Has(author) { // which there are is not for players to know
					err = registry.Failf("unknown dialogue %q; interaction.query tells who talks, and interaction.interact begins with one of them", quote.Clip(in.TreeID))
				}
				if err != nil {
					return StartOut{}, err
				}
				speaker, listener, err := t.pair(&tx.View, c.Principal(), tr, &in)
				if err != nil {
					return StartOut{}, err
				}
				if t.voiced != nil && !c.Principal().Grants.Has(author) {
					if why, err := t.voiced(&tx.View, c.Principal(), in.TreeID, speaker, listener); why != "" || err != nil {
						return StartOut{Reason: why}, err
					}
				}
				return t.begin(c, tx, in.TreeID, tr, speaker, listener, tr.Range, in.Meta)
			})
		},
	})
}

// pair returns who is to talk, if the caller may have them.
func (t *Talks) pair(v *world.View, caller *profiles.Principal, tr *tree, in *StartIn) (speaker, listener world.ID, err error) {
	if speaker, err = t.entity(v, "speaker", in.Speaker); err != nil {
		return 0, 0, err
	}
	if err := t.speaks(v, caller, tr, speaker); err != nil {
		return 0, 0, err
	}
	if in.Listener == "" {
		err = t.Self.Fill(v, caller, "listener", &listener)
	} else {
		listener, err = t.own(v, caller, "listener", in.Listener)
	}
	if err != nil {
		return 0, 0, err
	}
	if speaker == listener {
		return 0, 0, registry.Invalidf("listener: is the speaker itself")
	}
	return speaker, listener, nil
}

// Caller is on whose behalf a conversation begins, and who reads the event of it: a [registry.Call], or a step.
type Caller interface {
	Principal() *profiles.Principal
	Emit(kind string, payload any) error
}

// Begin has two entities talk, as dialogue.start does of whom its caller may have act. Where the tree does not say how far they may be apart, they may go away from each
// other by so many metres more, but twice as many at least. Where the answer is no nothing has changed.
func (t *Talks) Begin(c Caller, tx *world.Tx, id string, speaker, listener world.ID, near float64) (StartOut, error) {
	tr, err := t.find(&tx.View, id)
	if err != nil {
		return StartOut{}, err
	}
	if speaker == listener {
		return StartOut{Reason: fmt.Sprintf("%s does not talk to itself", speaker)}, nil
	}
	if err := t.speaks(&tx.View, c.Principal(), tr, speaker); err != nil {
		return StartOut{}, err
	}
	most := tr.Range
	if most == 0 {
		a, _ := tx.Position(speaker)
		b, _ := tx.Position(listener)
		most = min(max(2*near, a.Dist(b)+near), world.MaxNumber)
	}
	return t.begin(c, tx, id, tr, speaker, listener, most, nil)
}

// begin has two talk who may be so many metres apart, 0 for any. Where the answer is no nothing has changed.
func (t *Talks) begin(c Caller, tx *world.Tx, id string, tr *tree, speaker, listener world.ID, most float64, meta registry.Object) (StartOut, error) {
	mark := tx.Savepoint()
	out, err := t.start(tx, c.Principal().ID, id, tr, speaker, listener, most)
	if !out.OK {
		tx.RollbackTo(mark)
		return out, err
	}
	return out, c.Emit("dialogue.started", happening{Tree: id, Speaker: speaker, Listener: listener, Node: tr.Start, Meta: meta})
}

// Check reports why there is no dialogue of that name. The error says which there are.
func (t *Talks) Check(v *world.View, id string) error {
	_, err := t.find(v, id)
	return err
}

// start begins a conversation. What it has changed must not stay where the answer is no.
func (t *Talks) start(tx *world.Tx, by, id string, tr *tree, speaker, listener world.ID, most float64) (StartOut, error) {
	if why := far(&tx.View, speaker, listener, most); why != "" {
		return StartOut{Reason: why}, nil
	}
	if k, talks := t.talks.Get(&tx.View, listener); talks {
		if k.Speaker != speaker {
			return StartOut{Reason: fmt.Sprintf(`%s talks with %s: dialogue.end {"speaker":%[2]q,"listener":%[1]q} ends that`, listener, k.Speaker)}, nil
		}
		if err := t.close(tx, by, listener, anew); err != nil {
			return StartOut{}, err
		}
	} else {
		of := share.Kept{Most: MaxTalks, What: "conversations", Free: "dialogue.end ends one"}
		if err := share.RoomIn(&tx.View, &of, t.talks.All(&tx.View), by, func(k *Talk) string { return k.By }); err != nil {
			return StartOut{}, err
		}
	}
	k := Talk{Tree: id, Speaker: speaker, Range: most, Since: tx.Step(), By: by, Choices: []Offer{}}
	if err := t.announce(tx, "dialogue.started", by, listener, &k, ""); err != nil {
		return StartOut{}, err
	}
	t.pasts.Remove(tx, listener)
	out, isOver, why, err := t.enter(tx, by, tr, listener, k, tr.node(tr.Start))
	if why != "" || err != nil {
		return StartOut{Reason: why}, err
	}
	return StartOut{OK: true, CurrentNode: out, Ended: isOver}, nil
}
