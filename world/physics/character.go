package physics

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Character is a body that walks: a capsule that goes where it is sent and is not pushed. It is a
// component, and what viewers see of it. Only a kinematic capsule walks: one that is given another
// body stands until it has that again.
type Character struct {
	HalfHeight       float64 `json:"halfHeight"` // half the length between the centres of its caps, upright, in metres
	Radius           float64 `json:"radius"`
	WalkSpeed        float64 `json:"walkSpeed"` // in m/s
	RunSpeed         float64 `json:"runSpeed"`
	Gravity          float64 `json:"gravity"`          // its own, downwards, in m/s², see [Physics.SetGravity]
	JumpSpeed        float64 `json:"jumpSpeed"`        // with which it leaves the ground
	CrouchSpeedScale float64 `json:"crouchSpeedScale"` // of WalkSpeed, while it is low
	Sprinting        bool    `json:"sprinting,omitempty"`
	Crouch           bool    `json:"crouch,omitempty"`    // it is to be low
	Crouching        bool    `json:"crouching,omitempty"` // it is low: it may have no room to stand up
	Grounded         bool    `json:"grounded,omitempty"`  // it stood on something after its last step
	Swimming         bool    `json:"swimming,omitempty"`
}

// Height is how tall it is with feet and head, low or upright.
func (c *Character) Height(low bool) float64 {
	if low {
		return c.HalfHeight + 2*c.Radius // half as long between the caps
	}
	return 2*c.HalfHeight + 2*c.Radius
}

// size is the size of its shape.
func (c *Character) size(low bool) world.Vec3 {
	return world.Vec3{2 * c.Radius, c.Height(low), 2 * c.Radius}
}

// MaxFall is how fast characters fall at most, in m/s.
const MaxFall = 40

// patience is for how many seconds a jump waits for the ground.
const patience = 0.25

// Intent is where a character is sent. It holds for some steps, or until another one comes.
type Intent struct {
	Forward float64 // -1 to 1, of its speed, to where it looks
	Strafe  float64 // to its right
	Yaw     float64 // where it looks, in radians about y: 0 is along z, π/2 along x
	Run     bool
	Jump    bool // as soon as it stands
	Steps   uint64
}

// motion is the component of a character that is awake: that moves, or has an intent.
type motion struct {
	Forward float64 `json:"forward,omitempty"`
	Strafe  float64 `json:"strafe,omitempty"`
	Yaw     float64 `json:"yaw,omitempty"`
	Run     bool    `json:"run,omitempty"`
	Last    uint64  `json:"last,omitempty"` // the last step that this holds for
	Jump    uint64  `json:"jump,omitempty"` // the last step at which it may leave the ground
	Rise    float64 `json:"rise,omitempty"` // its velocity along y

	Thrown [2]float64 `json:"thrown,omitzero"` // its velocity along x and z that it was given by others
}

// later is a step past steps after a step; 0, which is none, stays none.
func later(step, past uint64) uint64 {
	if step == 0 {
		return 0
	}
	return step + past
}

const characterColor = 0xe0a030

// Spawn makes a character with its centre at a place. It falls from there if there is room, and anything below at all ([Physics.Waits]). It fails if
// the character could not move there because of [Reach].
func (p *Physics) Spawn(tx *world.Tx, at world.Vec3, c Character) (world.ID, error) {
	for _, m := range [...]struct {
		name string
		size world.Vec3
	}{{"position", at}, {"radius", world.Vec3{2 * c.Radius}}, {"halfHeight", world.Vec3{0, c.Height(c.Crouching)}}} {
		if !within(m.size, Reach) {
			return 0, &world.Error{Code: "invalid_input", Message: fmt.Sprintf("%s: characters move within %d m of the origin along each axis, and are no wider or taller than that", m.name, Reach)}
		}
	}
	id, err := tx.Create(world.Spec{Position: at})
	if err != nil {
		return 0, err
	}
	if err := p.w.Shapes.Set(tx, id, world.Shape{Kind: "capsule", Size: c.size(c.Crouching), Color: characterColor}); err != nil {
		return 0, err
	}
	if err := p.w.Bodies.Set(tx, id, world.Body{Type: "kinematic", Collider: "capsule"}); err != nil {
		return 0, err
	}
	if err := p.characters.Set(tx, id, c); err != nil {
		return 0, err
	}
	if err := p.perches.Set(tx, id, perch{At: at, Waits: !p.below(&tx.View, id, at, c.Height(c.Crouching)/2, c.Radius)}); err != nil {
		return 0, err
	}
	return id, p.motions.Set(tx, id, motion{})
}

// Character returns what is known of a character, and a refusal if the entity is none.
func (p *Physics) Character(v *world.View, id world.ID) (Character, error) {
	if !v.Exists(id) {
		return Character{}, v.Unknown(id)
	}
	c, ok := p.characters.Get(v, id)
	if !ok {
		return c, &world.Error{Code: "handler_error", Message: fmt.Sprintf("%s is no character; player.spawn makes one", id)}
	}
	return c, nil
}

// Walks reports whether an entity is a character.
func (p *Physics) Walks(v *world.View, id world.ID) bool { return p.characters.Has(v, id) }

// Send gives a character an intent, in place of the one it has. It fails if the entity is no character, or is
// out of reach.
func (p *Physics) Send(tx *world.Tx, id world.ID, in Intent) error {
	if _, err := p.Character(&tx.View, id); err != nil {
		return err
	}
	if err := p.outside(&tx.View, id); err != nil {
		return err
	}
	m, _ := p.motions.Get(&tx.View, id)
	m.Forward, m.Strafe, m.Yaw, m.Run = in.Forward, in.Strafe, in.Yaw, in.Run
	m.Last, m.Jump = tx.Step()+in.Steps, 0
	if in.Forward == 0 && in.Strafe == 0 {
		m.Last = tx.Step() + 1 // it only turns
	}
	if in.Jump {
		m.Jump = max(m.Last, p.patience(tx))
	}
	return p.motions.Set(tx, id, m)
}

// Stand takes from a character the intent that it has, as somebody else walks it from now on; a jump stays. Of what is no character it changes nothing.
func (p *Physics) Stand(tx *world.Tx, id world.ID) {
	m, ok := p.motions.Get(&tx.View, id)
	if !ok || m.Forward == 0 && m.Strafe == 0 {
		return
	}
	m.Forward, m.Strafe = 0, 0
	_ = p.motions.Set(tx, id, m) // it has one, whose other numbers were taken before
}

// Pacing returns how fast a character walks to where it is sent by [Physics.Send], in m/s; 0 if it is sent nowhere, is held, or the entity is no character.
func (p *Physics) Pacing(v *world.View, id world.ID) float64 {
	m, sent := p.motions.Get(v, id)
	if !sent || m.Last <= v.Step() {
		return 0
	}
	c, _ := p.characters.Get(v, id)
	part := min(math.Hypot(m.Forward, m.Strafe), 1)
	if p.hindered != nil {
		part *= max(p.hindered(v, id), 0)
	}
	return c.speed(&m) * part
}

// Aloft reports whether an entity is a character that jumps or falls: that has left what it stood on.
func (p *Physics) Aloft(v *world.View, id world.ID) bool {
	c, ok := p.characters.Get(v, id)
	return ok && !c.Grounded && !c.Swimming && p.motions.Has(v, id)
}

// speed is how fast it goes that is sent somewhere, in m/s.
func (c *Character) speed(m *motion) float64 {
	switch {
	case c.Crouching:
		return float64(c.WalkSpeed * c.CrouchSpeedScale)
	case m.Run || c.Sprinting:
		return c.RunSpeed
	}
	return c.WalkSpeed
}

// Hinder has a function say how much of its speed a character has, 0 to 1. One that has none does not jump or turn either; it falls,
// and is carried and thrown, like others. It is given once, where the world is put together, and goes by the world alone.
func (p *Physics) Hinder(pace func(v *world.View, id world.ID) float64) { p.hindered = pace }

// Held reports whether a character has no speed at all, as who is hindered may have.
func (p *Physics) Held(v *world.View, id world.ID) bool {
	return p.hindered != nil && p.hindered(v, id) <= 0
}

// Throw gives an entity's body a velocity in addition to what it has, in m/s, and reports whether it did: a dynamic body, by an
// impulse; a character, along x and z, which it loses by and by. Of others, and of a world whose bodies do not move, it reports false. It fails if there is
// no such entity, or it is out of reach.
func (p *Physics) Throw(tx *world.Tx, id world.ID, velocity world.Vec3) (bool, error) {
	if !tx.Exists(id) {
		return false, tx.Unknown(id)
	}
	if !p.Moves() {
		return false, nil
	}
	if !p.characters.Has(&tx.View, id) {
		return p.Push(tx, id, velocity.Scale(p.Weight(&tx.View, id)))
	}
	if err := p.outside(&tx.View, id); err != nil {
		return false, err
	}
	m, _ := p.motions.Get(&tx.View, id)
	v := world.Vec3{m.Thrown[0] + velocity[0], 0, m.Thrown[1] + velocity[2]}
	if l := v.Len(); l > fastest {
		v = v.Scale(fastest / l)
	}
	m.Thrown = [2]float64{v[0], v[2]}
	return true, p.motions.Set(tx, id, m)
}

// throwLoss is what a character that was thrown loses of its velocity, in m/s in a second: at 5 m/s it comes 1.25 m far.
const throwLoss = 10

// Jump has a character jump that stands or swims, and reports whether it does.
func (p *Physics) Jump(tx *world.Tx, id world.ID) (bool, error) {
	c, err := p.Character(&tx.View, id)
	if err != nil || !c.Grounded && !c.Swimming || p.Held(&tx.View, id) {
		return false, err
	}
	m, _ := p.motions.Get(&tx.View, id)
	m.Jump = p.patience(tx)
	return true, p.motions.Set(tx, id, m)
}

// patience is the last step that a jump waits for.
func (p *Physics) patience(tx *world.Tx) uint64 {
	return tx.Step() + p.w.StepsIn(patience)
}

// Pace says whether a character runs when it is not told to, and whether it is low. It stands up as soon
// as there is room.
func (p *Physics) Pace(tx *world.Tx, id world.ID, sprinting, crouch bool) error {
	c, err := p.Character(&tx.View, id)
	if err != nil {
		return err
	}
	if c.Sprinting != sprinting || c.Crouch != crouch {
		c.Sprinting, c.Crouch = sprinting, crouch
		if err := p.characters.Set(tx, id, c); err != nil {
			return err
		}
	}
	if c.Crouch == c.Crouching || p.motions.Has(&tx.View, id) {
		return nil
	}
	return p.motions.Set(tx, id, motion{})
}
