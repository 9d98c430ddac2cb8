package validation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/places"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// ValidateIn is the input of scene.validate.
type ValidateIn struct {
	Entities []world.ID  `json:"entities,omitempty" validate:"omitempty,min=1,max=500" jsonschema_description:"Only what is wrong with these; everything if left out."`
	Checks   []string    `json:"checks,omitempty" validate:"omitempty,min=1,unique,dive,oneof=degenerate duplicate outOfBounds belowGround interpenetrating floating unreachable anchored unsupported" jsonschema_description:"Only these checks; all but unsupported if left out."`
	Physics  bool        `json:"physics" jsonschema:"default=false" jsonschema_description:"Check unsupported, too: let everything go in a physics engine apart from the world, and see what does not stay. Parts under one entity are one body; what has a static body holds."`
	Seconds  float64     `json:"seconds" validate:"gt=0,lte=30" jsonschema:"default=3" jsonschema_description:"For unsupported: how long things are let go, in simulated seconds."`
	Except   []string    `json:"except,omitempty" validate:"omitempty,max=20" jsonschema_description:"Tags of what is meant to be as it is, such as clouds. What is built into each other has the tag joined instead."`
	Bounds   *BoundsIn   `json:"bounds,omitempty" jsonschema_description:"Where everything has to be; without it nothing is out of bounds."`
	Reach    []world.ID  `json:"reach,omitempty" validate:"omitempty,min=1,max=50" jsonschema_description:"What a walking person has to be able to touch; without it nothing is unreachable."`
	From     *world.Vec3 `json:"from,omitempty" jsonschema_description:"Where that person starts; the spawn point if left out."`
	Limit    int         `json:"limit" validate:"gte=1,lte=200" jsonschema:"default=50" jsonschema_description:"At most this many findings, those alike counted each."`
}

// BoundsIn is a box along the axes. Where nothing is said of y it has no end upwards or downwards.
type BoundsIn = places.Box

// ValidateOut is the output of scene.validate.
type ValidateOut struct {
	OK       bool      `json:"ok" jsonschema_description:"Nothing is wrong."`
	Findings []Finding `json:"findings" jsonschema_description:"What is wrong, by kind."`
	More     bool      `json:"more" jsonschema_description:"There may be more than the limit: repair these and ask again."`
	Checked  int       `json:"checked" jsonschema_description:"How many things were looked at: entities below the same one count once, in a group those that touch each other."`
	Skipped  int       `json:"skipped,omitempty" jsonschema_description:"How many were not, because they are among hundreds of others at one place: note says where."`
	Note     string    `json:"note,omitempty" jsonschema_description:"What was not looked at, and what to do, if anything."`
	Revision uint64    `json:"revision" jsonschema_description:"The state of the world that this is about."`
}

// Validate is scene.validate. It looks at a copy: the world goes on meanwhile.
// p tries out what would fall; nil or one that moves nothing for a world in which that is not known. Checks are made in
// turns; nil for turns of their own.
func Validate(w *world.World, a *agents.Agents, p *physics.Physics, turns *registry.Turns, moves *Movers) registry.Skill {
	moves = cmp.Or(moves, &Movers{})
	turns = cmp.Or(turns, registry.NewTurns(0))
	if p == nil {
		p = new(physics.Physics)
	}
	return registry.Define(registry.Spec[ValidateIn, ValidateOut]{
		Name:  "scene.validate",
		Title: "Check the scene by geometry",
		Description: "Find what is wrong with what was built: things that hang in the air, cut into each other, have sunk into the ground, are there twice, are too thin to see, lie out of bounds, cannot be reached, or stand still on what moves; with physics also what would fall over. " +
			"Each finding says which entities, by how many metres, and which operations repair it: give the fixes of all findings, in order, to world.batch. Where beams, walls and the like are built into each other, the fix moves nothing: it gives them the tag joined. Use it after building and before you say that it is done; to look with your own eyes use scene.render. " +
			`Example: {"bounds":{"min":[-20,0,-20],"max":[20,30,20]},"reach":["ent_7"]}`,
		Published:   true,
		Keywords:    "check mistake error problem verify quality walkable",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Slow:        true,
		Handle: func(c *registry.Call, in ValidateIn) (ValidateOut, error) {
			run, err := in.check()
			if err != nil {
				return ValidateOut{}, err
			}
			if slices.Contains(run.kinds, Unsupported) {
				run.trial = &trial{physics: p, seconds: in.Seconds, rate: w.StepRate()}
			}
			done, err := turns.Take(c)
			if err != nil {
				return ValidateOut{}, err
			}
			defer done()
			out, err := world.Read(w, c, func(v *world.View) (ValidateOut, error) {
				if err := in.known(v); err != nil {
					return ValidateOut{}, err
				}
				run.stage = survey(w, v, a, p, moves, in.Except)
				run.trial.survey(v, run.stage)
				if p.Moves() && p.Gravity(v) == 0 {
					run.weightless()
				}
				if len(in.Reach) > 0 {
					run.reach = &reach{from: w.Environment.Spawn.Get(v), to: in.Reach}
				}
				return ValidateOut{Revision: v.Tick()}, nil
			})
			if err != nil {
				return ValidateOut{}, err
			}
			run.ctx = c.Context()
			if err := run.stage.sort(run.ctx); err != nil {
				return ValidateOut{}, err
			}
			if left, where := run.uncrowd(); left > 0 {
				out.Skipped, out.Note = left, crowd(left, where)
			}
			out.Checked = len(run.stage.units)
			if run.hovers {
				out.Note = strings.TrimPrefix(out.Note+"; nothing falls in this world, so what hangs in the air is as it should be", "; ")
			}
			if run.reach != nil && in.From != nil {
				run.reach.from = *in.From
			}
			if !run.run() {
				if run.trial != nil && run.trial.err != nil {
					return ValidateOut{}, run.trial.err
				}
				return ValidateOut{}, c.Context().Err()
			}
			out.Findings, out.More, out.OK = fold(run.findings), run.more, len(run.findings) == 0 && out.Skipped == 0
			return out, nil
		},
	})
}

// check is the run that is asked for, without its stage.
func (in *ValidateIn) check() (*check, error) {
	c := &check{kinds: in.Checks, limit: in.Limit}
	if len(c.kinds) == 0 {
		c.kinds = Kinds[:len(Kinds)-1]
	}
	if in.Physics && !slices.Contains(c.kinds, Unsupported) {
		c.kinds = append(slices.Clone(c.kinds), Unsupported)
	}
	if in.Bounds != nil {
		b := in.Bounds.Everywhere()
		for i, axis := range "xyz" {
			if b.Min[i] >= b.Max[i] {
				return nil, registry.Invalidf("bounds: min must be less than max along each axis, along %c it is %v and %v", axis, b.Min[i], b.Max[i])
			}
		}
		c.bounds = &solid.Bounds{Lo: b.Min, Hi: b.Max}
	}
	for _, n := range []struct {
		kind, field string
		given       bool
	}{{OutOfBounds, "bounds", in.Bounds != nil}, {Unreachable, "reach", len(in.Reach) > 0}} {
		if slices.Contains(in.Checks, n.kind) && !n.given {
			return nil, registry.Invalidf("%s: has to be given for the check %s", n.field, n.kind)
		}
	}
	if len(in.Entities) > 0 {
		c.only = map[world.ID]bool{}
		for _, id := range in.Entities {
			c.only[id] = true
		}
	}
	return c, nil
}

// known refuses ids that nothing has.
func (in *ValidateIn) known(v *world.View) error {
	for _, list := range [][]world.ID{in.Entities, in.Reach} {
		for _, id := range list {
			if !v.Exists(id) {
				return v.Unknown(id)
			}
		}
	}
	return nil
}
