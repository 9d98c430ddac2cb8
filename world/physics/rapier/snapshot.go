package rapier

import (
	"encoding/binary"
	"errors"

	"github.com/limina-mcp/limina/world/physics"
)

// Snapshot returns whose the colliders are, which only the host knows, and what Rapier holds.
func (e *Engine) Snapshot() (snapshot []byte, err error) {
	defer catch(&err)
	snapshot = binary.LittleEndian.AppendUint32(nil, uint32(len(e.owners)))
	for _, o := range e.owners {
		snapshot = binary.LittleEndian.AppendUint64(snapshot, uint64(o.collider))
		snapshot = binary.LittleEndian.AppendUint64(snapshot, uint64(o.body))
	}
	s := &e.sets
	writer := e.call("rawserializationpipeline_new")
	defer e.call("__wbg_rawserializationpipeline_free", writer, 0)
	at := uint32(e.call("rawserializationpipeline_serializeAll", writer, ref(s.gravity), ref(s.parameters), ref(s.islands),
		ref(s.broad), ref(s.narrow), ref(s.bodies), ref(s.colliders), ref(s.soft), ref(s.joints), ref(s.multibody)))
	data, ok := e.objects.get(at).([]byte)
	e.objects.drop(at)
	if !ok {
		return nil, errors.New("rapier: no snapshot was made")
	}
	return append(snapshot, data...), nil
}

var errSnapshot = errors.New("rapier: this is no snapshot of this version")

// Restore makes the engine what it was when the snapshot was taken. What it held is gone.
func (e *Engine) Restore(snapshot []byte) (err error) {
	defer catch(&err)
	if len(snapshot) < 4 {
		return errSnapshot
	}
	n := int(binary.LittleEndian.Uint32(snapshot))
	snapshot = snapshot[4:]
	if len(snapshot)/16 < n {
		return errSnapshot
	}
	handle := func(at int) physics.Handle { return physics.Handle(binary.LittleEndian.Uint64(snapshot[at:])) }
	owners := make([]owner, n)
	for i := range owners {
		owners[i] = owner{handle(16 * i), handle(16*i + 8)}
	}
	reader := e.call("rawserializationpipeline_new")
	defer e.call("__wbg_rawserializationpipeline_free", reader, 0)
	world := e.call("rawserializationpipeline_deserializeAll", reader, ref(e.objects.add(snapshot[16*n:])))
	if world == 0 {
		return errSnapshot
	}
	defer e.call("__wbg_rawdeserializedworld_free", world, 0)
	e.forget()
	take := func(what string) uint32 { return uint32(e.call("rawdeserializedworld_take"+what, world)) }
	e.sets = sets{
		gravity: take("Gravity"), parameters: take("IntegrationParameters"), islands: take("IslandManager"),
		broad: take("BroadPhase"), narrow: take("NarrowPhase"), bodies: take("Bodies"), colliders: take("Colliders"),
		soft: take("SoftBodies"), joints: take("ImpulseJoints"), multibody: take("MultibodyJoints"),
	}
	e.rest()
	e.fine = e.call("rawintegrationparameters_numSolverIterations", ref(e.sets.parameters)) != parts
	e.aims, e.weighed = e.aims[:0], e.weighed[:0]
	e.owners, e.worn = nil, nil
	for _, o := range owners {
		e.own(o.collider, o.body)
		e.wear(o.collider, o.body)
	}
	return nil
}

// forget frees Rapier's world.
func (e *Engine) forget() {
	s := &e.sets
	for _, part := range []struct {
		name string
		at   uint32
	}{
		{"vector", s.gravity},
		{"integrationparameters", s.parameters},
		{"islandmanager", s.islands},
		{"broadphase", s.broad},
		{"narrowphase", s.narrow},
		{"rigidbodyset", s.bodies},
		{"colliderset", s.colliders},
		{"softbodyset", s.soft},
		{"impulsejointset", s.joints},
		{"multibodyjointset", s.multibody},
		{"ccdsolver", s.ccd},
		{"physicspipeline", s.pipeline},
		{"eventqueue", s.events},
	} {
		e.call("__wbg_raw"+part.name+"_free", ref(part.at), 0)
	}
}
