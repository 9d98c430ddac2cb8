package exchange

import (
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// hang writes how an entity hangs into its record, if what it hangs on is in the document, too.
func (x *writer) hang(id world.ID, rec *record) {
	if x.physics == nil {
		return
	}
	j, ok := x.physics.Joint(x.v, id)
	switch {
	case !ok || j.To != 0 && !x.v.Exists(j.To):
		return
	case j.To != 0 && !x.wanted(j.To):
		x.torn++
		return
	case j.To != 0:
		rec.HangsOn = j.To.String()
	case !x.wanted(x.v.Parent(id)):
		j.Apart(x.v, id)
	}
	if aim, ok := x.physics.Aim(x.v, id); ok {
		rec.Aim = &aim
	}
	j.To = 0
	rec.Joint = &j
}

// unhung says that there are entities that hang on what is not in the file; "" if there are none.
func (x *writer) unhung() string {
	if x.torn == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the entities hang on what is not in the file, and hang on nothing in it", x.torn)
}

// hanging is an entity that is yet to be hung up.
type hanging struct {
	node int
	id   world.ID
	rec  record
}

// hangAll has entities hang on one another as their records say. What hung on something that is not there any more hangs on nothing.
func (in *inserter) hangAll() error {
	for _, h := range in.hangings {
		j := *h.rec.Joint
		if h.rec.HangsOn != "" {
			to, ok := in.out.Now[h.rec.HangsOn]
			if !ok {
				in.out.Lost = append(in.out.Lost, fmt.Sprintf("%s: what it hung on, %.40s, is not there", in.where(h.node), h.rec.HangsOn))
				continue
			}
			j.To = to
		}
		if err := in.physics.Rehang(in.tx, h.id, j, h.rec.Aim); err != nil {
			return in.refused(h.node, err)
		}
	}
	return nil
}

// hangsOnSomething says what is wrong with who hangs on what in a log, nil if nothing is: all stand on some line.
func (r *logReader) hangsOnSomething() error {
	for i := range r.doc.Nodes {
		rec, err := recordOf(&r.doc.Nodes[i])
		if err != nil {
			return err // it was good a moment ago
		}
		if _, ok := r.nodes[rec.HangsOn]; rec.HangsOn != "" && !ok {
			return registry.Invalidf("%s: hangsOn: %.40q is on no line", r.where(i), rec.HangsOn)
		}
	}
	return nil
}

// checkJoint says what in the joint of a record no skill would have made.
func (r *record) checkJoint(under string) error {
	j := r.Joint
	if j == nil {
		if r.HangsOn != "" || r.Aim != nil {
			return fmt.Errorf("%shangsOn and aim: are for what has a joint", under)
		}
		return nil
	}
	within := func(what string, least, value, most float64) error {
		if !(value >= least && value <= most) {
			return fmt.Errorf("%sjoint.%s: must be from %g to %g, got %g", under, what, least, most, value)
		}
		return nil
	}
	switch kinds := []physics.JointKind{physics.Hinge, physics.Slider, physics.Socket, physics.Weld, physics.Rope, physics.Spring}; {
	case !slices.Contains(kinds, j.Kind):
		return fmt.Errorf("%sjoint.kind: must be one of %v, got %.40q", under, kinds, j.Kind)
	case j.To != 0:
		return fmt.Errorf("%sjoint.to: stands in hangsOn", under)
	case !j.Kind.Travels() && (j.Limited || j.Motor != physics.Motor{}):
		return fmt.Errorf("%sjoint: only a hinge and a slider have ends and motors, this is a %s", under, j.Kind)
	case r.Aim != nil && j.Motor.Drive != physics.ToPlace:
		return fmt.Errorf("%saim: is for a motor that goes to a place", under)
	}
	const far = 4 * physics.Reach // further than any two places where things move are from one another
	errs := []error{
		within("low", -physics.Reach, j.Low, 0), within("high", 0, j.High, physics.Reach), within("pace", 0, j.Pace, 100),
		within("motor.goal", -physics.Reach, j.Motor.Goal, physics.Reach), within("motor.strength", 0, j.Motor.Strength, 1e9),
		within("length", 0, j.Length, far), within("stiff", 0, j.Stiff, world.MaxNumber), within("damped", 0, j.Damped, world.MaxNumber),
		within("breakForce", 0, j.Break, 1e9),
	}
	if drives := []physics.Drive{physics.Loose, physics.ToSpeed, physics.ToPlace}; !slices.Contains(drives, j.Motor.Drive) {
		errs = append(errs, fmt.Errorf("%sjoint.motor.drive: must be one of %q, got %.40q", under, drives, j.Motor.Drive))
	}
	for k := range 3 {
		errs = append(errs, within("at", -world.MaxNumber, j.At[k], world.MaxNumber), within("on", -world.MaxNumber, j.On[k], world.MaxNumber))
	}
	for _, turn := range []world.Quat{j.Turn, j.OnTurn} {
		square := 0.0
		for _, x := range turn {
			square += float64(x * x)
		}
		if !(math.Abs(square-1) < 1e-3) {
			errs = append(errs, fmt.Errorf("%sjoint.turn and joint.onTurn: must have the length 1, got %v", under, turn))
		}
	}
	if r.Aim != nil {
		errs = append(errs, within("aim", -far, *r.Aim, far))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
