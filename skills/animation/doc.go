// Package animation moves entities by keyframes: animation.authorClip stores a clip, animation.play has an entity
// follow it, and simulation steps do so, for everybody and whatever looks: queries, pictures, zones and bodies find the
// entity where it is. What is not played costs nothing.
//
// # What a clip moves
//
// The tracks position, rotation and scale, or one axis of them such as rotation.y, are told from how the entity
// stood when it was played, its rest: metres along its own axes, radians about them, factors of its scale. So a clip is good for many
// entities, wherever they are and whatever they are in. color (0xRRGGBB or r, g, b from 0 to 1) and intensity, of a lamp, are what
// they are to be. Tracks of other names move nothing here: they are kept for animation.sampleClip, and for viewers.
//
// Whoever moves an entity while it plays moves its rest. What is below it goes with it. Its static bodies, and those below it, are
// kinematic while it plays, so that it carries who stands on it and pushes what is in its way. An entity with a dynamic
// body, which the physics moves, cannot be played; of a character and of an agent's body viewers draw what plays, and nothing
// moves.
//
// # Layers
//
// A layer plays one clip; another one on it takes its place, over fadeDuration seconds. Higher layers go over lower
// ones by their weight. Several clips on a layer (animation.blend) are mixed by their weights. A clip that does not loop holds its
// end until it is stopped or another one takes its place: a door stays open. animation.stop leaves the entity as it is; with a fade it goes back
// to its rest. Times are counted in simulation steps.
//
// # Paths
//
// animation.authorPath keeps a curve through points, with stops, and animation.follow has an entity, or a train of several, go along it. Where that is in a
// step follows from its component "travel" and the path alone: the timetable. What is played goes over it, as over any rest: a boat on its course bobs. Whoever moves
// what follows a path moves its way.
//
// # What clients see
//
// The component "travel": what path is followed, since when and how. The component "animation" of an entity: what plays, since which step. Where an entity is, they are told like of
// any other that moves. A clip that has come to its end is the moment "animation.finished".
package animation

import (
	"sync"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// Limits on what a world holds of animation.
const (
	MaxClips     = 1024
	MaxKeys      = 4096    // of a clip, in all its tracks
	MaxAllKeys   = 1 << 18 // of all clips
	MaxPlaying   = 16      // clips that an entity plays
	MaxMoving    = 4096    // entities that move at a time
	MaxPaths     = 1024
	MaxAllPoints = 1 << 16 // of all paths
	EmoteLayer   = 100     // of animation.emote
	maxWide      = 16      // numbers of a key of a track that moves nothing
)

// Clips are the clips of a world and what plays them. A world has one.
type Clips struct {
	w       *world.World
	agents  *agents.Agents
	persons func(v *world.View, id world.ID) bool
	guard   func(v *world.View, caller *profiles.Principal, id world.ID) error

	rows     *world.Table[string, clip]
	clipsBy  *share.Owners[string]
	playing  *world.Component[Playing]
	machines *world.Component[machine]
	poses    *world.Component[pose] // of what a step has moved
	paths    *world.Table[string, path]
	pathsBy  *share.Owners[string]
	travels  *world.Component[Travel]

	ground  func(v *world.View, x, z float64) float64
	halt    func(tx *world.Tx, id world.ID) bool
	named   shelf.Namer // how many rules name a clip or a path
	arrived func(tx *world.Tx, id world.ID, what string, a Arrival) error

	// What follows from them.
	moving *world.Component[struct{}] // what steps have to look at
	brief  *world.Component[struct{}] // what of that comes to an end by itself
	ids    []world.ID                 // room for step
	drawn  drawn
}

// drawn is what was worked out of paths, which follows from them: it is no part of the world.
type drawn struct {
	sync.Mutex
	plans map[string]*plan
	times map[timing]timed
}

// New gives a world clips, once, where it is put together, before its physics: a kinematic body that is moved before the
// physics pushes what is in its way.
func New(w *world.World, a *agents.Agents) *Clips {
	c := &Clips{
		w: w, agents: a,
		persons:  func(*world.View, world.ID) bool { return false },
		guard:    func(*world.View, *profiles.Principal, world.ID) error { return nil },
		rows:     world.NewTable[string, clip](w, "animation.clips", MaxClips, world.Private),
		clipsBy:  share.NewOwners[string](w, "animation.clips.owners", share.Kept{Most: MaxClips, What: "clips", Free: "animation.remove takes one away"}),
		playing:  world.NewComponent[Playing](w, "animation"),
		machines: world.NewComponent[machine](w, "animation.machine", world.Private),
		poses:    world.NewComponent[pose](w, "animation.pose", world.Private),
		paths:    world.NewTable[string, path](w, "animation.paths", MaxPaths, world.Private),
		pathsBy:  share.NewOwners[string](w, "animation.paths.owners", share.Kept{Most: MaxPaths, What: "paths", Free: "animation.remove takes one away"}),
		travels:  world.NewComponent[Travel](w, "travel", world.Single),
		ground:   func(*world.View, float64, float64) float64 { return 0 },
		halt:     func(*world.Tx, world.ID) bool { return false },
		drawn:    drawn{plans: map[string]*plan{}, times: map[timing]timed{}},
		moving:   world.NewComponent[struct{}](w, "animation.moving", world.Private, world.Derived),
		brief:    world.NewComponent[struct{}](w, "animation.brief", world.Private, world.Derived),
	}
	w.OnStep("animation", c.step, c.activity)
	w.OnUndo(c.undone)
	c.playing.Resume(Playing.later)
	c.travels.Resume(Travel.later)
	c.travels.Kin(Travel.kin)
	return c
}

// Guard has a function say who may have an entity play, and one which entities are characters, so that clips do not move
// them. It is called once, where the world is put together.
func (c *Clips) Guard(guard func(v *world.View, caller *profiles.Principal, id world.ID) error, persons func(v *world.View, id world.ID) bool) {
	c.guard, c.persons = guard, persons
}

// Ground has a function say how high the ground is, for paths on it. It is called once, where the world is put together.
func (c *Clips) Ground(ground func(v *world.View, x, z float64) float64) { c.ground = ground }

// Moves reports whether an entity is being moved by a clip, or along a path, that comes to an end by itself. It may be called in any view.
func (c *Clips) Moves(v *world.View, id world.ID) bool { return c.brief.Has(v, id) }

// Endless reports whether an entity is moved by clips, or along a path, of which none comes to an end by itself. It may be called in any view.
func (c *Clips) Endless(v *world.View, id world.ID) bool {
	return c.moving.Has(v, id) && !c.brief.Has(v, id)
}

// Follows reports whether an entity follows a path. It may be called in any view.
func (c *Clips) Follows(v *world.View, id world.ID) bool { return c.travels.Has(v, id) }

// Driven reports whether an entity follows a path, or plays a clip that moves it. It may be called in any view.
func (c *Clips) Driven(v *world.View, id world.ID) bool {
	p, _ := c.playing.Get(v, id)
	return c.travels.Has(v, id) || c.displaces(v, p) && !c.own(v, id)
}

// All returns the skills of the package.
func All(c *Clips) []registry.Skill {
	return []registry.Skill{
		c.author(), c.play(), c.stop(), c.authorPath(), c.follow(), c.remove(), c.sample(), c.info(), c.load(), c.blend(), c.emote(),
		c.createStateMachine(), c.setParam(), c.transition(),
	}
}

var (
	mayRead  = []profiles.Permission{"animation.read"}
	mayWrite = []profiles.Permission{"animation.write"}
)

// event is the payload of the events of this package.
type event struct {
	Entity world.ID        `json:"entity,omitempty"`
	Clip   string          `json:"clipId,omitempty"`
	Path   string          `json:"pathId,omitempty"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// own reports whether an entity goes where its agent or its feet have it go.
func (c *Clips) own(v *world.View, id world.ID) bool {
	if _, ok := c.agents.Agent(v, id); ok {
		return true
	}
	return c.persons(v, id)
}
