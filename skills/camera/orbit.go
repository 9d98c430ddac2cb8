package camera

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// FollowIn is the input of camera.follow.
type FollowIn struct {
	Target         world.ID        `json:"target" jsonschema_description:"Id of the entity to follow, such as ent_3: your body, a character, a car."`
	Distance       float64         `json:"distance" validate:"gt=0,lte=100" jsonschema:"default=5" jsonschema_description:"How far behind it the camera is, in metres."`
	Pitch          float64         `json:"pitch" validate:"gte=-1.5,lte=1.5" jsonschema:"default=0.4" jsonschema_description:"How far above the level the camera is, as an angle in radians."`
	Smoothness     float64         `json:"smoothness" validate:"gte=0,lte=1" jsonschema:"default=0.08" jsonschema_description:"How gently viewers have it come after, about how many seconds late: 0 is at once."`
	CollisionCheck bool            `json:"collisionCheck" jsonschema:"default=true" jsonschema_description:"Whether it comes nearer where something is between it and the target."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"Handed to viewers as it is."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.set."`
}

func (c *Cameras) follow() registry.Skill {
	return registry.Define(registry.Spec[FollowIn, Aimed]{
		Name:  "camera.follow",
		Title: "Follow something with your camera",
		Description: "Put your camera behind an entity: it goes along, and stays behind it as it turns. Whoever looks through your camera sees that, and so do you by scene.render {\"view\":\"camera\"}. To circle it freely use camera.thirdPerson. " +
			`Example: {"target":"ent_3","distance":6}`,
		Keywords:    "chase behind camera track character rig",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in FollowIn) (Aimed, error) {
			return c.mount(call, Rig{
				Kind: follow, Target: in.Target, Distance: in.Distance, Pitch: in.Pitch, Smoothness: in.Smoothness, Collides: in.CollisionCheck, Config: in.Config,
			}, in.Meta)
		},
	})
}

// ThirdPersonIn is the input of camera.thirdPerson.
type ThirdPersonIn struct {
	Target      world.ID        `json:"target" jsonschema_description:"Id of the entity to orbit, such as ent_3."`
	Distance    float64         `json:"distance" validate:"gt=0,lte=100" jsonschema:"default=5" jsonschema_description:"How far from it the camera is, in metres."`
	Pitch       float64         `json:"pitch" validate:"gte=-1.5,lte=1.5" jsonschema:"default=0.4" jsonschema_description:"How far above the level the camera is, as an angle in radians."`
	MinPitch    float64         `json:"minPitch" jsonschema:"default=-1.4" jsonschema_description:"The lowest pitch that camera.look brings it to."`
	MaxPitch    float64         `json:"maxPitch" jsonschema:"default=1.4" jsonschema_description:"The highest; beyond 1.5 it never goes."`
	MinDistance float64         `json:"minDistance" validate:"gt=0" jsonschema:"default=1" jsonschema_description:"The nearest that viewers may let somebody come."`
	MaxDistance float64         `json:"maxDistance" validate:"gt=0" jsonschema:"default=20" jsonschema_description:"The farthest."`
	Config      registry.Object `json:"config,omitempty" jsonschema_description:"Handed to viewers as it is."`
	Meta        registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.set."`
}

func (c *Cameras) thirdPerson() registry.Skill {
	return registry.Define(registry.Spec[ThirdPersonIn, Aimed]{
		Name:  "camera.thirdPerson",
		Title: "Orbit something with your camera",
		Description: "Put your camera at a distance from an entity, behind it at first: it goes along, but keeps its direction; camera.look has it circle. To stay behind use camera.follow. " +
			`Example: {"target":"ent_3","distance":8,"pitch":0.6}`,
		Keywords:    "orbit third person camera character rig",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in ThirdPersonIn) (Aimed, error) {
			if err := in.check(); err != nil {
				return Aimed{}, err
			}
			limits := &Limits{in.MinPitch, in.MaxPitch, in.MinDistance, in.MaxDistance}
			return c.mount(call, Rig{Kind: thirdPerson, Target: in.Target, Distance: in.Distance, Pitch: in.Pitch, Limits: limits, Config: in.Config}, in.Meta)
		},
	})
}

// check holds together what belongs together.
func (in *ThirdPersonIn) check() error {
	switch {
	case in.MinPitch > in.MaxPitch:
		return registry.Invalidf("minPitch: %v is above maxPitch, %v", in.MinPitch, in.MaxPitch)
	case in.MinDistance > in.MaxDistance:
		return registry.Invalidf("minDistance: %v is above maxDistance, %v", in.MinDistance, in.MaxDistance)
	case in.Pitch < in.MinPitch || in.Pitch > in.MaxPitch:
		return registry.Invalidf("pitch: must be from minPitch, %v, to maxPitch, %v, got %v", in.MinPitch, in.MaxPitch, in.Pitch)
	case in.Distance < in.MinDistance || in.Distance > in.MaxDistance:
		return registry.Invalidf("distance: must be from minDistance, %v, to maxDistance, %v, got %v", in.MinDistance, in.MaxDistance, in.Distance)
	}
	return nil
}

// TopDownIn is the input of camera.topDown.
type TopDownIn struct {
	Target   world.ID        `json:"target" jsonschema_description:"Id of the entity to look down on, such as ent_3."`
	Distance float64         `json:"distance" validate:"gt=0,lte=100" jsonschema:"default=10" jsonschema_description:"How far from it the camera is, in metres."`
	Angle    float64         `json:"angle" validate:"gte=0.1,lte=1.5" jsonschema:"default=0.785" jsonschema_description:"How steeply it looks down, in radians: 0.785 is 45 degrees, 1.5 nearly straight down."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"Handed to viewers as it is."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.set."`
}

func (c *Cameras) topDown() registry.Skill {
	return registry.Define(registry.Spec[TopDownIn, Aimed]{
		Name:  "camera.topDown",
		Title: "Look down on something with your camera",
		Description: "Put your camera above an entity, as strategy games do: it goes along and does not turn, -z is up in its picture. " +
			`Example: {"target":"ent_3","distance":15,"angle":1.2}`,
		Keywords:    "overhead above bird isometric strategy camera map rig",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in TopDownIn) (Aimed, error) {
			return c.mount(call, Rig{Kind: topDown, Target: in.Target, Distance: in.Distance, Pitch: in.Angle, Facing: north, Config: in.Config}, in.Meta)
		},
	})
}

// FirstPersonIn is the input of camera.firstPerson.
type FirstPersonIn struct {
	Target     world.ID        `json:"target" jsonschema_description:"Id of the entity whose eyes it is, such as ent_3."`
	HeadHeight float64         `json:"headHeight" validate:"gt=0" jsonschema:"default=1.6" jsonschema_description:"How high its eyes are above its lowest point, in metres."`
	Config     registry.Object `json:"config,omitempty" jsonschema_description:"Handed to viewers as it is."`
	Meta       registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.set."`
}

// headHeight is where eyes are where nothing else is said, in metres above the lowest point.
const headHeight = 1.6

func (c *Cameras) firstPerson() registry.Skill {
	return registry.Define(registry.Spec[FirstPersonIn, Aimed]{
		Name:  "camera.firstPerson",
		Title: "Look with something's eyes",
		Description: "Put your camera into an entity: it looks where that looks, along its z axis, and does not see it; camera.look moves the head. " +
			`Example: {"target":"ent_3"}`,
		Keywords:    "eyes ego first person camera character rig",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in FirstPersonIn) (Aimed, error) {
			return c.mount(call, Rig{Kind: firstPerson, Target: in.Target, Lift: in.HeadHeight, Config: in.Config}, in.Meta)
		},
	})
}
