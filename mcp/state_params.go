package mcp

import (
	"math"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/statesync"
)

// The params of the state channel are read strictly: a member that is not known, or is not what it
// should be, is refused, because to leave out an area is to ask for the whole world.

// fields reads the members of an object.
type fields struct {
	found map[string][]byte
	e     *rpcError
}

// readFields takes apart a valid JSON object that may have certain members.
func readFields(object []byte, path string, known ...string) fields {
	f := fields{found: map[string][]byte{}}
	eachMember(object, func(key string, value []byte) bool {
		if key == "_meta" && path == "" {
			return true
		}
		for _, k := range known {
			if key != k {
				continue
			}
			if f.found[key] != nil {
				f.fail(path+key, "given twice")
			}
			f.found[key] = value
			return true
		}
		f.fail(path+key, "unknown member, allowed: "+strings.Join(known, ", "))
		return true
	})
	return f
}

// fail notes the first complaint.
func (f *fields) fail(path, complaint string) {
	if f.e == nil {
		f.e = invalidParams(path + ": " + complaint)
	}
}

func (f *fields) text(name string) string {
	value := f.found[name]
	if value == nil {
		return ""
	}
	s, ok := stringValue(value)
	if !ok {
		f.fail(name, "must be a string")
	}
	return s
}

func (f *fields) flag(name string) bool {
	switch string(f.found[name]) {
	case "", "false":
	case "true":
		return true
	default:
		f.fail(name, "must be true or false")
	}
	return false
}

func (f *fields) tick(name string) (n uint64, given bool) {
	value := f.found[name]
	if value == nil {
		return 0, false
	}
	x, ok := numberValue(value)
	if !ok || !isInteger(value) || x < 0 || x > 1<<53 {
		f.fail(name, "must be a tick: an integer of 0 or more")
		return 0, true
	}
	return uint64(x), true
}

// maxNumber is the largest number that a place in the world may have: what fits a float32.
const maxNumber = 3.4e38

// numberValue returns what a JSON number says; false if value is none, or too large.
func numberValue(value []byte) (float64, bool) {
	if !isNumber(value) {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(value), 64)
	return x, err == nil && math.Abs(x) <= maxNumber
}

// area reads {center, radius}; an object without either is the whole world.
func (f *fields) area(path string) statesync.Area {
	center, radius := f.found["center"], f.found["radius"]
	if center == nil && radius == nil {
		return statesync.Whole()
	}
	var a statesync.Area
	switch {
	case center == nil:
		f.fail(path+"center", "missing: an area is {center:[x,y,z], radius}, or {} for the whole world")
		return a
	case radius == nil:
		f.fail(path+"radius", "missing: an area is {center:[x,y,z], radius}, or {} for the whole world")
		return a
	case center[0] != '[':
		f.fail(path+"center", "must be an array of three numbers")
		return a
	}
	parts := elements(center, len(a.Center))
	if len(parts) != len(a.Center) {
		f.fail(path+"center", "must be an array of three numbers")
		return a
	}
	for i, part := range parts {
		x, ok := numberValue(part)
		if !ok {
			f.fail(path+"center["+strconv.Itoa(i)+"]", "must be a number within ±3.4e38")
		}
		a.Center[i] = x
	}
	x, ok := numberValue(radius)
	if !ok || x < 0 {
		f.fail(path+"radius", "must be a number within 0 and 3.4e38")
	}
	a.Radius = x
	return a
}

// subscribeParams reads the params of state/subscribe; given says whether there was an area.
func subscribeParams(params []byte) (o statesync.Options, given bool, e *rpcError) {
	f := readFields(params, "", "aoi", "since", "epoch", "subscription", "encoding", "batch")
	o.Name, o.Encoding, o.Batch = f.text("subscription"), statesync.Encoding(f.text("encoding")), f.flag("batch")
	o.Since, o.Resume = f.tick("since")
	o.Epoch = f.text("epoch")
	o.Area = statesync.Whole()
	if aoi := f.found["aoi"]; aoi != nil {
		given = true
		if aoi[0] != '{' {
			f.fail("aoi", "must be {center:[x,y,z], radius}, or {} for the whole world")
			return o, given, f.e
		}
		inner := readFields(aoi, "aoi.", "center", "radius")
		o.Area = inner.area("aoi.")
		if f.e == nil {
			f.e = inner.e
		}
	}
	return o, given, f.e
}

// unsubscribeParams reads the params of state/unsubscribe.
func unsubscribeParams(params []byte) (name string, e *rpcError) {
	f := readFields(params, "", "subscription")
	return f.text("subscription"), f.e
}

// declareParams reads the params of aoi/declare.
func declareParams(params []byte) (name string, a statesync.Area, e *rpcError) {
	f := readFields(params, "", "center", "radius", "subscription")
	return f.text("subscription"), f.area(""), f.e
}
