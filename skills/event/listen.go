package event

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// ListenIn is the input of event.listen.
type ListenIn struct {
	EventName string          `json:"eventName" validate:"min=1,max=128" jsonschema_description:"The name of the event, exactly as it is emitted: \"doorOpen\"."`
	Action    action.Action   `json:"action" jsonschema_description:"What is to be done each time."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ListenOut is the output of event.listen.
type ListenOut struct {
	ListenerID Handle `json:"listenerId" jsonschema_description:"Names the listener for event.remove."`
	Note       string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Listen is event.listen.
func Listen(e *Events) registry.Skill {
	return registry.Define(registry.Spec[ListenIn, ListenOut]{
		Name:  "event.listen",
		Title: "Do something when an event happens",
		Description: "Say what the server does whenever an event of a name is emitted: by event.emit, by an emit action of trigger.onEnter and the like, by game.timer, game.condition or a cutscene; game.won, game.lost, game.restarted, cutscene.ended, player.spawned, quest.completed, progression.levelUp and director.phase come by themselves. " +
			"It is done in the next simulation step, may do what you may do, and is about the entity that the event is about, unless target names another. To do it at a place use trigger.onEnter. " +
			`Example: {"eventName":"alarm","action":{"type":"setState","target":"ent_7","data":{"color":16711680}}}`,
		Keywords:    "when happen on event handler subscribe react listener callback hook game rule chain button lever pressed used craft crafting recipe workbench",
		Permissions: []profiles.Permission{"event.read"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ListenIn) (ListenOut, error) {
			if err := in.Action.Check(e.w, c); err != nil {
				return ListenOut{}, err
			}
			return world.Do(e.w, c, func(tx *world.Tx) (ListenOut, error) {
				k := in.Action.Keep(c.Principal())
				same := e.same(&tx.View, in.EventName, &k)
				h, err := e.listen(tx, in.EventName, k)
				return ListenOut{h, cmp.Or(in.Action.Note(), same, e.does.Unheard(&tx.View, in.EventName))}, err
			})
		},
	})
}

// hearing yields the listeners to a name, in order.
func (e *Events) hearing(v *world.View, name string) iter.Seq2[Handle, listener] {
	return func(yield func(Handle, listener) bool) {
		all, _ := e.names.Get(v, name)
		for _, h := range all {
			if l, ok := e.listeners.Get(v, h); ok && !yield(h, l) {
				return
			}
		}
	}
}

// listen adds a listener.
func (e *Events) listen(tx *world.Tx, name string, k action.Kept) (Handle, error) {
	author := func(l *listener) string { return l.By }
	if err := share.RoomIn(&tx.View, &share.Kept{Most: MaxListeners, What: "listeners", Free: "event.remove takes one away"}, e.listeners.All(&tx.View), k.By, author); err != nil {
		return 0, err
	}
	of := share.Kept{Most: MaxOf, What: fmt.Sprintf("listeners to %q", quote.Clip(name)), Free: "event.remove takes one away"}
	if err := share.RoomIn(&tx.View, &of, e.hearing(&tx.View, name), k.By, author); err != nil {
		return 0, err
	}
	h := Handle(e.listeners.Next(tx) - 1)
	if err := e.listeners.Set(tx, h, listener{name, k}); err != nil {
		return 0, err
	}
	return h, e.index(tx, h, name)
}

// RemoveIn is the input of event.remove.
type RemoveIn struct {
	ListenerID string          `json:"listenerId" validate:"max=64" jsonschema_description:"The listener, as event.listen named it: \"lst_0\"."`
	Meta       registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// RemoveOut is the output of event.remove.
type RemoveOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Remove is event.remove.
func Remove(e *Events) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "event.remove",
		Title: "Stop listening",
		Description: "End a listener of event.listen: its action is not done any more, not even for an event that waits to be heard. What it has done stays. event.emit with dryRun shows who listens to a name. " +
			`Example: {"listenerId":"lst_0"}`,
		Keywords:    "unsubscribe unlisten cancel handler listener off",
		Permissions: []profiles.Permission{"event.read"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(e.w, c, func(tx *world.Tx) (RemoveOut, error) {
				h, l, err := e.find(&tx.View, in.ListenerID)
				if err != nil {
					return RemoveOut{}, err
				}
				if l.By != c.Principal().ID && !c.Principal().Grants.Has("event.write") {
					return RemoveOut{}, registry.Errorf(registry.CodeForbidden, "missing permission: event.write, to end a listener of somebody else, of %s", quote.Clip(l.By))
				}
				e.listeners.Delete(tx, h)
				return RemoveOut{OK: true}, e.unindex(tx, h, l.Name)
			})
		},
	})
}

// same says which listener to events of a name does the same already, "" if none does: who sets a game up anew after a mistake has it done twice.
func (e *Events) same(v *world.View, name string, k *action.Kept) string {
	for h, l := range e.hearing(v, name) {
		if l.By == k.By && l.Type == k.Type && l.Target == k.Target && l.If == k.If && bytes.Equal(l.Data, k.Data) {
			return fmt.Sprintf("%s does the same already, so that it is done twice each time: event.remove takes one away", h)
		}
	}
	return ""
}
