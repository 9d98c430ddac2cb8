// Package skills is the catalogue: everything that agents can do, a folder per domain, a file per
// noun.
//
//	w := world.New(world.Config{})
//	r := registry.New(registry.Options{Tick: w.Tick})
//	err := r.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w)})...)
//
// A new skill is a constructor in the folder of its domain that returns a [registry.Skill], added to
// that folder's All; a new domain is a new folder, added to [All] here. The tests of this package
// then hold it to the rules that all skills share.
package skills

import (
	"cmp"
	"iter"
	"slices"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/approvals"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/behavior"
	"github.com/limina-mcp/limina/skills/camera"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/cutscene"
	"github.com/limina-mcp/limina/skills/dev"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/director"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/input"
	"github.com/limina-mcp/limina/skills/inspector"
	"github.com/limina-mcp/limina/skills/interaction"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/live"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/modelling"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/post"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/prompts"
	"github.com/limina-mcp/limina/skills/quest"
	"github.com/limina-mcp/limina/skills/rules"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/spatial"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// Resources returns what can be read beside calling skills: of d's world, and of the log l.
func Resources(d Deps, l *trace.Log) []registry.Resource {
	return slices.Concat(scene.Resources(d.World), tracing.Resources(l))
}

// Prompts returns the ways to begin that people are offered.
func Prompts(d Deps) []registry.Prompt { return prompts.All(d.World) }

// All returns the whole catalogue on d. It is called once for a world, before the world takes steps:
// it declares components, tables and steps there, and the world panics if they are declared twice.
//
// The order is the one in which lists show the skills, so what a newcomer needs first is first.
func All(d Deps) []registry.Skill {
	if d.Approval == nil {
		d.Approval = approval.NewGate(approval.Options{})
	}
	w := d.World
	place, talk, panels := environment.New(w), social.New(w, d.Agents), ui.New(w)
	if d.Ways == nil {
		d.Ways = navigation.New(w, d.Agents)
	}
	if d.Clips == nil {
		d.Clips = animation.New(w, d.Agents)
	}
	if d.Physics == nil {
		d.Physics = bodies.New(w, bodies.Config{})
	}
	sounds, meshes, things := audio.New(w), mesh.New(w), solid.NewLooks(w)
	surfaces := material.New(w)
	lands := terrain.New(w, meshes)
	lands.Spare(things)
	heavy := registry.NewTurns(0)
	houses := architecture.New(w, meshes)
	files := exchange.Deps{World: w, Agents: d.Agents, Houses: houses, Clips: d.Clips, Meshes: meshes, Materials: surfaces, Things: things, Physics: d.Physics, Dir: d.Files, Turns: heavy}
	does := action.New(w, sounds)
	cast := player.New(w, d.Agents, d.Physics)
	owned := inventory.New(w, cast.Acts)
	owned.Self(cast.Own)
	usable := interaction.New(w, interaction.Deps{Owned: owned, Cast: cast, Looks: things, Events: does})
	d.Ways.Guard(func(v *world.View, caller *profiles.Principal, id world.ID) (float64, error) {
		if err := d.Clips.Stay(v, id); err != nil {
			return 0, err
		}
		return cast.Walk(v, caller, id)
	})
	d.Ways.Self(cast.Own)
	d.Clips.Leave(d.Ways.Halt)
	d.Ways.Bound(d.Clips.Bound)
	cast.Steer(d.Ways.Halt)
	w.Hold(held(w, lands, d.Agents, cast, does))
	if d.Physics.Moves() {
		d.Ways.Afoot(d.Physics.Walks)
		d.Ways.Lead(d.Physics.Stand)
		d.Ways.Blocks(func(v *world.View, id world.ID, toward world.Vec3) (world.ID, bool) {
			at, _ := v.Position(id)
			return d.Physics.Against(v, id, bodies.Intent{Forward: toward[2] - at[2], Strafe: at[0] - toward[0]}) // as seen by who looks along z
		})
	}
	d.Clips.Guard(cast.Guard, d.Physics.Walks)
	does.Animate(d.Clips)
	d.Clips.Ground(func(v *world.View, x, z float64) float64 {
		y, _ := things.Ground(v, x, z)
		return y
	})
	d.Clips.OnArrive(func(tx *world.Tx, id world.ID, what string, a animation.Arrival) error {
		return does.Tell(tx, "path", what, cmp.Or(a.Stop, a.Path), id, "", a)
	})
	cast.Tell(does)
	physics.Tell(d.Physics, does)
	// Steps are taken in this order: what has happened in one is heard in it.
	zones := trigger.On(w, does)
	played := func(v *world.View, id world.ID) bool {
		_, is := cast.Player(v, id)
		return is
	}
	zones.Played(played)
	vitals := stats.New(w, stats.Deps{Does: does, Agents: d.Agents, Guard: cast.Guard, Owner: cast.Owner, Self: cast.Own})
	play, show := game.New(w, does), cutscene.New(w, does)
	panels.Played(played)
	panels.Show("counter", play.CounterText)
	panels.Show("timer", play.TimerText)
	panels.Show("stat", vitals.Text)
	panels.Show("ranking", vitals.Ranking)
	var minds *behavior.Minds
	plays := func(v *world.View, id world.ID) bool {
		_, body := d.Agents.Agent(v, id)
		return body || cast.Walks(v, id) && !minds.Has(v, id)
	}
	prefabs := prefab.New(w)
	prefabs.Stand(func(tx *world.Tx, id world.ID) error { return layout.Stand(w, tx, things, id) })
	arena := combat.New(combat.Deps{World: w, Stats: vitals, Physics: d.Physics, Things: things, Owned: owned, Plays: plays})
	var book *progression.Book
	gain := func(tx *world.Tx, id world.ID, amount int64, by string) error {
		_, err := book.Gain(tx, id, amount, by)
		return err
	}
	talks := dialogue.New(dialogue.Deps{World: w, Agents: d.Agents, Social: talk, Game: play, Does: does, Owned: owned, Stats: vitals, Gain: gain, Self: cast.Own, Acts: cast.Acts})
	playing := func(v *world.View) []world.ID {
		return slices.DeleteFunc(cast.Avatars(v), func(id world.ID) bool { return !plays(v, id) })
	}
	minds = behavior.New(behavior.Deps{World: w, Ways: d.Ways, Social: talk, Does: does, Things: usable, Arena: arena, Stats: vitals, Players: playing, Acts: cast.Acts})
	book = progression.New(w, progression.Deps{Does: does, Stats: vitals, Guard: cast.Acts})
	quests := quest.New(w, quest.Deps{Does: does, Stats: vitals, Owned: owned, Zones: zones, Book: book, Guard: cast.Acts, Plays: cast.Plays})
	pace := director.New(w, director.Deps{Does: does, Stats: vitals, Plays: plays})
	particles := vfx.New(w)
	finish := post.New(w)
	cameras := camera.New(camera.Deps{World: w, Cast: cast, Things: things})
	d.Agents.Keeps(vitals.Belonging(), owned.Belonging(), book.Belonging(), arena.Belonging(), quests.Belonging())
	if d.Presence == nil {
		d.Presence = agent.NewPresence(w, d.Agents)
	}
	d.Agents.Stays(minds.Has)
	d.Agents.Cast(cast.Spawned)
	d.Agents.Swims(d.Physics.Swimming)
	d.Presence.Go(does)
	d.Presence.Bars(d.Agents.Bar, d.Ways.Bar, d.Clips.Bar)
	heard := event.New(w, does)
	usable.Converse(talks)
	keys := input.New(w)
	keys.Tell(input.Deps{Does: does, Own: cast.Own, Of: cast.Player})
	play.Know("item", owned.Count)
	play.Know("input", keys.Value)
	play.Know("stat", vitals.Value)
	play.Know("quest", quests.Status)
	all := []rule.Source{zones.Rules, heard.Rules, play.Rules, vitals.Rules, usable.Rules, show.Rules, minds.Rules, pace.Rules, quests.Rules, talks.Rules}
	named := func(kind string) func(v *world.View, id string) int {
		return func(v *world.View, id string) int { return rule.Naming(v, all, kind, id) }
	}
	arena.Named(named("ability"))
	d.Clips.Named(named("clip"))
	owned.Named(named("item"))
	minds.Named(named("profile"))
	book.Named(named("tree"))
	quests.Named(named("quest"))
	talks.Named(named("dialogue"), usable.Speakers)
	does.Known(func(v *world.View) iter.Seq[string] {
		return func(yield func(string) bool) {
			for _, names := range []iter.Seq[string]{rule.Emitted(v, all), minds.Emits(v)} {
				for name := range names {
					if !yield(name) {
						return
					}
				}
			}
		}
	})
	does.Calls(d.Registry) // of the same step, in which nothing else happens after them
	past := checkpoint.New(w)
	does.Pace("checkpoint.load", past.Again)
	slowed := func(v *world.View, id world.ID) float64 { return float64(vitals.Pace(v, id) * d.Physics.Drag(v, id)) }
	d.Ways.Mobile(func(v *world.View, id world.ID) bool {
		return minds.Has(v, id) || d.Physics.Walks(v, id) || d.Clips.Moves(v, id) || d.Clips.Endless(v, id) || usable.Moves(v, id)
	}, usable.Opened)
	d.Agents.Hinder(slowed)
	d.Ways.Hinder(slowed)
	d.Physics.Hinder(vitals.Pace)
	var told []registry.Skill
	if d.State != nil {
		told = live.All(d.State)
	}
	return slices.Concat(
		scene.All(w, func(v *world.View, id world.ID) *scene.Behavior {
			does, lives := minds.Doing(v, id)
			if does.Stuck == "" {
				does.Stuck = d.Ways.Stuck(v, id)
			}
			path := d.Clips.Underway(v, id)
			if !lives && does.Stuck == "" && path == nil {
				return nil
			}
			return &scene.Behavior{Profile: does.Profile, Goal: does.Goal, Type: does.Type, Stuck: does.Stuck, Path: (*scene.Path)(path)}
		}),
		picture.All(picture.Source{World: w, Panels: panels, Meshes: meshes, Materials: surfaces, Particles: particles, Cameras: cameras, Physics: d.Physics, Agents: d.Agents, Paces: []picture.Pace{d.Physics.Pacing, d.Ways.Pace, d.Agents.Pace}, Post: finish, Plays: cast.Plays, Turns: heavy, App: d.App}),
		exchange.All(files),
		modelling.All(w, meshes),
		architecture.On(houses),
		layout.All(w, things, layout.Lifeless(minds.Has), rule.Uncopied(zones.Rules, heard.Rules), rule.Shared(usable.Rules)),
		prefab.All(prefabs),
		validation.All(w, d.Agents, d.Physics, heavy, &validation.Movers{Follows: d.Clips.Follows, Driven: d.Clips.Driven}),
		three.On(w, d.Clips.OffTrack, zones.Places, panels.Places, minds.Places),
		exchange.Materials(files),
		post.All(finish),
		ecs.All(w),
		catalogue.All(),
		batch.All(w),
		history.All(w),
		claims.All(w),
		checkpoint.All(past),
		save.All(save.New(w, d.Save)),
		environment.All(place),
		physics.All(w, d.Physics, physics.Movers{
			Walks:   []func(*world.View, world.ID) bool{d.Ways.Walks, d.Agents.Walks, d.Clips.Moves, usable.Moves},
			Endless: d.Clips.Endless,
			Awaited: []func(*world.View) bool{heard.Waiting, does.Waits, minds.Waits},
			Stuck:   d.Ways.Stuck,
			Reach:   usable.Touches,
		}),
		player.All(cast),
		animation.All(d.Clips),
		spatial.All(w, things),
		terrain.All(lands),
		navigation.All(d.Ways),
		agent.All(w, d.Agents),
		social.All(talk),
		ui.All(panels),
		audio.All(sounds),
		trigger.All(zones),
		event.All(heard),
		rules.All(w, all...),
		game.All(play),
		inventory.All(owned),
		stats.All(vitals),
		combat.All(arena),
		cutscene.All(show),
		interaction.All(usable),
		dialogue.All(talks),
		behavior.All(minds),
		director.All(pace),
		quest.All(quests),
		progression.All(book),
		camera.All(cameras),
		input.All(keys),
		vfx.All(particles),
		tracing.All(tracing.Deps{Dir: d.TraceDir}),
		approvals.All(d.Approval),
		inspector.All(inspector.Deps{World: w, Agents: d.Agents, Profiles: d.Profiles, Stuck: d.Ways.Stuck, Path: d.Clips.Path}),
		told,
		dev.All(d.Reload),
	)
}
