// Package world holds all authoritative state of a Limina world: entities with transforms, parents,
// names and tags; components, which are typed columns over entities; tables and globals, which belong
// to no entity; and the simulation steps that advance them.
//
// # Changing it
//
// Everything that changes the world does so through a [Tx]. A skill gets one from [Do], which opens
// it on the running call; the pipeline that runs the call ends it, after the output was found good:
//
//	return world.Do(w, c, func(tx *world.Tx) (CreateEntityOut, error) {
//		id, err := tx.Create(world.Spec{Position: in.Position})
//		if err != nil {
//			return CreateEntityOut{}, err
//		}
//		return CreateEntityOut{Entity: id}, w.Shapes.Set(tx, id, world.Shape{Kind: in.Shape})
//	})
//
// A second Do in the same call, say by a skill that this one calls, joins the transaction by a
// savepoint. Engine code, which nobody ends anything for, uses [World.Update].
//
// A transaction is all or nothing. It keeps a journal of inverses, so that a function that fails or
// panics is undone to the last bit: also the numbers that new entities got, the draws from the
// random source and the counters of tables. One that changed nothing makes no commit. Otherwise it
// ends as one [Commit], which has the next number, says what changed, and is shown to those who
// [World.Observe] before anybody else can change the world again.
//
// # Concurrency
//
// There is one writer at a time: between the begin of a transaction and its end everybody else
// waits. Readers, by [Read] and [World.View], run beside each other. What is inside one of these
// calls must not make another of them on the same world, except by Do and Read on the same call;
// it would wait for itself, for ever. That holds for whatever they call: steps, observers, a registry's
// Gate and Recorder, and calls of skills that begin anew, by mcp.Invoke or Registry.Invoke, instead of
// going on by Call.Invoke or Registry.InvokeIn. On amd64 and arm64 it is refused at once, as long as it is the same
// goroutine: by an [Error] where there is one to return, else, as in World.View, by a panic. Who waits inside for another
// goroutine that does it waits for ever.
//
// # Determinism
//
// The same calls and steps in the same order give the same world, bit for bit, on every platform;
// [World.Hash] tells. So nothing in a transaction may read a clock, draw randomness other than
// [Tx.Rand], or let the order of a map decide anything: every iteration here is in the order of ids
// or keys. And arithmetic on what ends up in the world rounds every product, float64(x*y), before it
// sums it; see [Vec3].
//
// # Adding to it
//
// A package that needs state of its own declares it where the world is put together, by
// [NewComponent], [NewTable] and [NewGlobal], and has it advanced by [World.OnStep]. It is then part
// of rollbacks, hashes, commits and, unless it is [Private], of what viewers get, and this package
// need not know of it. [World.Shapes] and its neighbours are declared in the same way.
//
// # What is refused
//
// Setters refuse, by an [Error] that is meant for the caller's eyes, unknown entities, limits that
// are reached, and numbers that are not finite or beyond ±3.4e38.
package world
