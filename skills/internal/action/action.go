package action

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// Limits of actions.
const (
	MaxStep    = 8192         // that one step does of one agent, where he is alone, all of them together
	maxAll     = 2 * MaxStep  // … and of all: one has as many as are left
	maxVain    = 32 * MaxStep // that one step looks at and does not do: a queue of events has half as many
	MaxParts   = 2 * MaxStep  // below the target of one: a group with more is nothing for a step
	perAction  = 4            // changes that an action makes for its place in a step; it takes another place for each four more
	MaxData    = 8 << 10      // bytes of the data of one
	MaxSpawned = 1000         // entities that they have made, at a time
	MaxChain   = 64           // events that have led to one another
)

// Action is what is to be done.
type Action struct {
	Type   string          `json:"type" validate:"oneof=emit setState spawn destroy audio animation call custom" jsonschema_description:"emit: tell those who see it, and who listens. setState: change an entity, or the game. spawn: make one. destroy: remove one. audio: play a sound effect. animation: have an entity play a clip. call: call a skill, as you, such as damage.apply or inventory.add. custom: tell viewers, who make something of it."`
	Target string          `json:"target,omitempty" validate:"omitempty,max=128" jsonschema_description:"setState, destroy, audio, animation: the id of an entity; left out, the one that it is about, such as who has entered; \"$actor\" is who has brought it about, \"$variable:chosen\" the entity whose id the variable chosen of the game is. emit: the name of the event. call: the name of the skill. custom: whatever you agreed on."`
	Data   registry.Object `json:"data" jsonschema:"default={}" jsonschema_description:"setState: position, rotationEuler in radians, scale, name, color, light as three.setLight has it (kind, color, intensity, range, angle), addTags, removeTags; game changes the game and no entity: {\"counter\":{\"name\":\"coins\",\"action\":\"increment\"}}, {\"flag\":{\"name\":\"open\",\"value\":true}}, {\"state\":{\"name\":\"winner\",\"value\":\"$entity\"}}, {\"timer\":{\"name\":\"door\",\"duration\":3,\"onComplete\":\"close\"}}, {\"cutscene\":\"intro\"} or {\"outcome\":\"won\"}. spawn: the input of scene.createEntity. audio: name, volume, config. animation: what animation.play takes (clipId, loop, speed …), or param and value, or state, of a state machine. call: the input of the skill. In setState and call \"$entity\" stands for the entity that the action is about, \"$actor\" for who has brought it about: who has used a thing, or struck the last blow; \"$variable:chosen\" for what the variable chosen of the game is then, \"$(counter(\\\"wave\\\") * 5 + 20)\" for what that comes to then, with all that an if may ask, and random(6), a whole number from 1 to 6. Else it is handed on."`
	If     string          `json:"if,omitempty" jsonschema_description:"Only if this is so then, as game.condition has it: counter(\"pulled\") == 1 and not flag(\"done\"); and of who has brought it about item(\"key\") >= 1, stat(\"hp\") < 10, quest(\"rats\") == \"active\"; timer(\"lap\") is how many seconds a timer shows. Left out: always."`
}

// Kept is an action as the world keeps it. It is immutable.
type Kept struct {
	Type   string          `json:"type"`
	Target string          `json:"target,omitempty"`
	Data   registry.Object `json:"data,omitempty"`
	If     string          `json:"if,omitempty"` // an expression; "": always
	By     string          `json:"by"`           // who attached it

	Profile string  `json:"profile,omitempty"` // with which he did, but of type call
	Caller  *Caller `json:"caller,omitempty"`  // of type call
}

// Keep returns what the world keeps of an action that somebody attaches.
func (a *Action) Keep(p *profiles.Principal) Kept {
	data := a.Data
	if string(data) == "{}" {
		data = nil // nothing is kept and nothing is handed on
	}
	k := Kept{Type: a.Type, Target: a.Target, Data: data, If: a.If, By: p.ID}
	if k.Profile = p.Profile; a.Type == "call" {
		k.Profile = ""
		k.Caller = &Caller{p.Kind, p.Profile, p.Grants.List()}
	}
	return k
}

// Action returns the action as it was attached.
func (k *Kept) Action() Action {
	data := k.Data
	if data == nil {
		data = registry.Object("{}")
	}
	return Action{Type: k.Type, Target: k.Target, Data: data, If: k.If}
}

// change is the data of setState.
type change struct {
	Position      *world.Vec3 `json:"position,omitempty"`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty"`
	Scale         *world.Vec3 `json:"scale,omitempty"`
	Name          *string     `json:"name,omitempty" validate:"omitempty,max=256"`
	Color         *uint32     `json:"color,omitempty" validate:"omitempty,lte=16777215"`
	Light         *three.Lamp `json:"light,omitempty"`
	AddTags       []string    `json:"addTags,omitempty" validate:"omitempty,max=16"`
	RemoveTags    []string    `json:"removeTags,omitempty" validate:"omitempty,max=16"`
	Game          *Play       `json:"game,omitempty"`
}

// split returns what changes an entity, and whether that is anything, and what changes the game.
func (c change) split() (of change, changes bool, game *Play) {
	game, c.Game = c.Game, nil
	return c, !reflect.ValueOf(c).IsZero(), game
}

// effect is the data of audio.
type effect struct {
	Name   string          `json:"name" validate:"min=1"`
	Volume float64         `json:"volume" validate:"gte=0,lte=1" jsonschema:"default=0.8"`
	Config registry.Object `json:"config,omitempty"`
}

// needs are the permissions that somebody must have who attaches an action: those of the skills that do
// the same.
func (a *Action) needs() []profiles.Permission {
	all := a.does()
	if strings.HasPrefix(a.Target, variableWord) || variableLike().Match(a.Data) || expressionLike().Match(a.Data) {
		all = append(all, "game.write") // with which one reads variables
	}
	return all
}

// does are the permissions for what an action does, whatever it reads.
func (a *Action) does() []profiles.Permission {
	switch a.Type {
	case "emit":
		return []profiles.Permission{"event.write"}
	case "setState":
		var c change
		if sample(a.Data, &c) != nil {
			return nil // it is refused for that
		}
		var all []profiles.Permission
		_, changes, game := c.split()
		if changes || game == nil {
			all = append(all, "scene.write", "ecs.modify")
		}
		return append(all, game.needs()...)
	case "spawn", "destroy":
		return []profiles.Permission{"scene.write"}
	case "audio":
		return []profiles.Permission{"audio.play"}
	case "animation":
		return []profiles.Permission{"animation.write"}
	}
	return nil
}

// Check reports what is wrong with an action that the caller of c is about to attach in w: later nobody is there to be told. The error is for
// him; it names what is wrong from "action." on.
func (a *Action) Check(w *world.World, c *registry.Call) error {
	for _, p := range a.needs() {
		if !c.Principal().Grants.Has(p) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which an action of type %s needs", p, a.Type)
		}
	}
	if err := config.Fits("action.data", len(a.Data), MaxData); err != nil {
		return err
	}
	if err := CheckIf(a.If); err != nil {
		return err
	}
	if a.Type == "setState" || a.Type == "call" {
		if err := checkExpressions(a.Data); err != nil {
			return err
		}
	}
	if a.Type == "setState" || a.Type == "destroy" || a.Type == "audio" {
		if err := a.checkTarget(); err != nil {
			return err
		}
	}
	switch a.Type {
	case "call":
		return a.checkCall(c)
	case "emit":
		return CheckName("action.target", a.Target)
	case "animation":
		cue, err := cued(a.Data)
		if err != nil || cue == nil {
			return err
		}
		return a.checkTarget()
	case "setState":
		var c change
		if err := sample(a.Data, &c); err != nil {
			return err
		}
		return c.Game.check("action.data.game")
	case "spawn":
		in, err := spawn(a.Data, world.Vec3{})
		if err != nil {
			return err
		}
		return in.Feasible(w, c)
	case "audio":
		return read(a.Data, new(effect))
	}
	return nil
}

// CheckIf reports what is wrong with the condition of an action, "" for none. The error names it "action.if".
func CheckIf(src string) error {
	if src == "" {
		return nil
	}
	_, err := expression.Parse(src, true)
	return registry.Under("action.if", err)
}

// checkTarget reports that a target is no entity and no word for one.
func (a *Action) checkTarget() error {
	switch a.Target {
	case "", entityWord, ActorWord:
		return nil
	}
	if name, ok := strings.CutPrefix(a.Target, variableWord); ok && name != "" {
		return nil
	}
	if _, err := world.ParseID(a.Target); err != nil {
		return registry.Invalidf("action.target: %v", err)
	}
	return nil
}

// Note says what of an action that is good may be a mistake, "" if nothing.
func (a *Action) Note() string {
	if a.Type == "setState" || a.Type == "call" {
		if word := strange(a.Data); word != "" {
			return fmt.Sprintf("%s in action.data is only text: %s stands for the entity that the action is about, %s for who has brought it about, %sNAME for what a variable of the game is", word, entityWord, ActorWord, variableWord)
		}
	}
	if a.Type != "setState" {
		return ""
	}
	var c change
	if err := sample(a.Data, &c); err != nil {
		return ""
	}
	switch {
	case reflect.ValueOf(c).IsZero():
		return "the action changes nothing: action.data names nothing to change"
	case c.RotationEuler != nil:
		return angle.Note("action.data.rotationEuler", c.RotationEuler[:]...)
	}
	return ""
}

// cued returns what an action of type animation has an entity play. It is nil where the data says nothing that this server knows: viewers may.
func cued(data registry.Object) (*animation.Cue, error) {
	if !animation.IsCue(data) {
		return nil, nil
	}
	cue := new(animation.Cue)
	if err := read(data, cue); err != nil {
		return nil, err
	}
	if wrong := cue.Wrong(); wrong != "" {
		return nil, registry.Invalidf("action.data: %s", wrong)
	}
	return cue, nil
}

// PlaysOnly reports whether an action that is good changes the game and no entity.
func (a *Action) PlaysOnly() bool {
	var c change
	if a.Type != "setState" || sample(a.Data, &c) != nil {
		return false
	}
	_, changes, game := c.split()
	return game != nil && !changes
}

// OfEntity reports whether an action does something to the entity that it is about, or to who has brought it about, and so nothing without one.
func (k *Kept) OfEntity() bool {
	for _, word := range [...]string{entityWord, ActorWord} {
		if k.Target == word || bytes.Contains(k.Data, fmt.Appendf(nil, "%q", word)) {
			return true
		}
	}
	switch k.Type {
	case "setState":
		a := k.Action()
		return k.Target == "" && !a.PlaysOnly()
	case "destroy", "animation":
		return k.Target == ""
	}
	return false
}

// read reads the data of an action. What is wrong is named from action.data on.
func read[T any](data registry.Object, v *T) error {
	if len(data) == 0 {
		data = registry.Object("{}")
	}
	err := wire.Unmarshal(data, v)
	var problems wire.Errors
	if errors.As(err, &problems) {
		for i, p := range problems {
			problems[i].Path = "action.data." + p.Path
		}
		return registry.Invalidf("%s", problems.Error())
	}
	return err
}

// sample reads the data of an action of type setState that is yet to be filled in.
func sample(data registry.Object, c *change) (err error) {
	for i, form := range sampled(data) {
		*c = change{}
		if wrong := read(form, c); wrong == nil {
			return nil
		} else if i == 0 {
			err = wrong
		}
	}
	return err
}

// spawn reads the data of spawn: what scene.createEntity is to make, at a place if the data has none.
func spawn(data registry.Object, at world.Vec3) (scene.CreateEntityIn, error) {
	var in scene.CreateEntityIn
	if err := read(data, &in); err != nil {
		return in, err
	}
	if wire.Member(data, "position") == nil {
		in.Position = at
	}
	return in, nil
}
