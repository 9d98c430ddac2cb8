package player

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// SpawnIn is the input of player.spawn.
type SpawnIn struct {
	Position         *world.Vec3     `json:"position,omitempty" jsonschema_description:"Where its centre is at first, in metres; y is up. Left out: it stands at the world's spawn (world.getSpawn). With the default measures it stands on ground at y 0 when its centre is at y 0.87; from higher up it falls."`
	HalfHeight       float64         `json:"halfHeight" validate:"gt=0" jsonschema:"default=0.5" jsonschema_description:"Half the length of the capsule without its round ends, in metres."`
	Radius           float64         `json:"radius" validate:"gt=0" jsonschema:"default=0.35" jsonschema_description:"Radius of the capsule in metres. It goes up steps as high as its radius."`
	WalkSpeed        float64         `json:"walkSpeed" validate:"gt=0" jsonschema:"default=4.5" jsonschema_description:"Metres a second; 1,000 at most count."`
	RunSpeed         float64         `json:"runSpeed" validate:"gt=0" jsonschema:"default=8" jsonschema_description:"Metres a second."`
	Gravity          float64         `json:"gravity" validate:"gt=0" jsonschema:"default=22" jsonschema_description:"How fast its fall gets faster, in metres a second squared. It falls at 40 m/s at most."`
	JumpSpeed        float64         `json:"jumpSpeed" validate:"gt=0" jsonschema:"default=8" jsonschema_description:"With how many metres a second it leaves the ground. It rises by jumpSpeed² / (2 gravity): 1.4 metres by default."`
	CrouchSpeedScale float64         `json:"crouchSpeedScale" validate:"gt=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"How much of walkSpeed it keeps while it crouches."`
	Anew             bool            `json:"anew" jsonschema:"default=false" jsonschema_description:"Whether it begins with nothing, although what your last one had is kept for you: that waits for the next."`
	Stay             bool            `json:"stay" jsonschema:"default=false" jsonschema_description:"Whether it stays in the world when you have left it for good; needs scene.write."`
	Meta             registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.spawned."`
}

// SpawnOut is the output of player.spawn.
type SpawnOut struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the character, an entity like any other."`
	BodyID   uint64     `json:"bodyId" jsonschema_description:"The number of its body."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is: elsewhere than asked for if something is there."`
	Grounded bool       `json:"grounded" jsonschema_description:"Whether it stands on something; that is not known before the first simulation step, so false."`
	Reason   string     `json:"reason,omitempty" jsonschema_description:"Why it is elsewhere than asked for."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What it waits for, if there is nothing below it."`
	Returned []string   `json:"returned,omitempty" jsonschema_description:"What it has of the character or body that went while you were away: inventory, stats, progression, cooldowns, quests. Left out: nothing was kept."`
	Missed   []string   `json:"missed,omitempty" jsonschema_description:"What of that could not be given back, and why; it is kept for your next player.spawn."`
}

// above is how far above the world's spawn a character begins, in metres, so that it is not in the ground there.
const above = 0.02

func (s *Stage) spawn() registry.Skill {
	return registry.Define(registry.Spec[SpawnIn, SpawnOut]{
		Name:  "player.spawn",
		Title: "Make a character",
		Description: "Make a character that walks, runs, jumps and crouches: a capsule that is stopped by walls, climbs stairs and slopes, and falls off edges. It is yours: send it with player.move. " +
			"Everything with a body (static: true or dynamic: true) is in its way or carries it, so there has to be ground: over nothing it stays in the air, and who falls out of the world is put back where it stood last (the event player.fell). Who may not change the scene (scene.write) has 4 at most, no faster than 8 m/s; player.despawn removes one, and so does the server some time after your last session has ended: what it had then, items, stats, level, quests, is kept for your next player.spawn. event.listen hears of each, as player.spawned. For a body that only perceives and speaks use agent.embody. " +
			`Example: {"position":[0,1,0]}`,
		Keywords:    "character npc person hero",
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SpawnIn) (SpawnOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SpawnOut, error) {
				if err := s.fair(&tx.View, c.Principal(), &in); err != nil {
					return SpawnOut{}, err
				}
				ch := in.character()
				asked := s.w.Environment.Spawn.Get(&tx.View).Add(world.Vec3{0, ch.HalfHeight + ch.Radius + above, 0})
				if in.Position != nil {
					asked = *in.Position
				}
				at, taken, err := s.p.Room(&tx.View, asked, &ch)
				if err != nil {
					return SpawnOut{}, err
				}
				id, err := s.p.Spawn(tx, at, ch)
				if err != nil {
					return SpawnOut{}, err
				}
				if err := s.own(tx, c.Principal(), id, in.Stay); err != nil {
					return SpawnOut{}, err
				}
				if err := s.tell(tx, id, c.Principal().ID); err != nil {
					return SpawnOut{}, err
				}
				out := SpawnOut{Entity: id, BodyID: id.Number()}
				stands, _ := tx.Position(id)
				out.Position = shown.Point(stands)
				if out.Returned, out.Missed, err = s.back(tx, c.Principal(), id, &in); err != nil {
					return SpawnOut{}, err
				}
				if taken != 0 {
					out.Reason = fmt.Sprintf("it would have been in %s, so it is where the way out of that leads, %.2f m from the place asked for", taken, at.Dist(asked))
				}
				if s.p.Waits(&tx.View, id) {
					out.Note = "nothing is below it to stand on: it stays in the air until something with a body, or ground, is"
				}
				return out, c.Emit("player.spawned", event{id, in.Meta})
			})
		},
	})
}

// own has a character be its caller's. It goes with him, unless it is to stay, or he does not go ([profiles.Principal.Leaves]).
func (s *Stage) own(tx *world.Tx, caller *profiles.Principal, id world.ID, stay bool) error {
	if err := s.owners.Set(tx, id, caller.ID); err != nil || stay || !caller.Leaves() {
		return err
	}
	return s.agents.Bind(tx, caller.ID, caller.Holder, id, false)
}

// back has a character have what its caller's last one had that went while he was away. What stays without him, or is spawned in his name by an action, is not him.
func (s *Stage) back(tx *world.Tx, caller *profiles.Principal, id world.ID, in *SpawnIn) (given, missed []string, err error) {
	if in.Anew || in.Stay || caller.Session == "" {
		return nil, nil, nil
	}
	given, all, err := s.agents.GiveBack(tx, caller.ID, id)
	for _, m := range all {
		missed = append(missed, m.Name+": "+registry.Said(m.Err))
	}
	return given, missed, err
}

func (in *SpawnIn) character() physics.Character {
	return physics.Character{
		HalfHeight: in.HalfHeight, Radius: in.Radius, WalkSpeed: in.WalkSpeed, RunSpeed: in.RunSpeed,
		Gravity: in.Gravity, JumpSpeed: in.JumpSpeed, CrouchSpeedScale: in.CrouchSpeedScale,
	}
}
