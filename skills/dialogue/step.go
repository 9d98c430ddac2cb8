package dialogue

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// step ends the conversations of those whose speaker is no more, or who are too far apart.
func (t *Talks) step(tx *world.Tx) error {
	for listener, k := range t.talks.All(&tx.View) {
		var reason string
		switch {
		case !tx.Exists(k.Speaker):
			reason = gone
		case far(&tx.View, k.Speaker, listener, k.Range) != "":
			reason = left
		default:
			continue
		}
		if err := t.end(tx, listener, &k, reason); err != nil {
			return err
		}
	}
	return nil
}

// bury ends the conversation of a listener who is about to be destroyed. Those who hear of it find nobody, but where he was.
func (t *Talks) bury(tx *world.Tx, listener world.ID) {
	if k, talks := t.talks.Get(&tx.View, listener); talks {
		_ = t.end(tx, listener, &k, gone) // it fails if not even that can be told
	}
}

// end ends a conversation that nobody has asked to end. Where there is no room for its event, that is told and no more.
func (t *Talks) end(tx *world.Tx, listener world.ID, k *Talk, reason string) error {
	mark := tx.Savepoint()
	err := t.close(tx, "", listener, reason)
	if err == nil {
		return nil
	}
	tx.RollbackTo(mark)
	t.talks.Remove(tx, listener)
	return t.Does.Failed(tx, "dialogue", "", map[string]string{"treeId": k.Tree}, registry.Under("dialogue.ended", err))
}

// activity is Waiting while somebody talks: nobody minds that a conversation ends only when somebody is there.
func (t *Talks) activity(v *world.View) world.Activity {
	if t.talks.Len(v) > 0 {
		return world.Waiting
	}
	return world.Idle
}
