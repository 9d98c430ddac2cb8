package render

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Pose is how a [Figure] holds itself. The zero Pose stands.
type Pose struct {
	Stride float64 // how far it is in its stride, in radians: the left foot is in front at 0, the right one at π
	Speed  float64 // how fast it walks, in m/s, of a figure of usual height; 0 stands
	Low    bool    // it crouches: its size is that of a figure that does
	Aloft  bool    // it is in the air
}

// StrideOf returns how many metres somebody gets on in two steps at a speed in m/s.
func StrideOf(speed float64) float64 { return 0.8 + float64(0.5*max(speed, 0)) }

// Tone is what part of a figure has which colour.
type Tone uint8

// The tones. Of a figure that is not dressed, and of one that is made of something, all parts have its own colour.
const (
	Clothes Tone = iota // the figure's own colour
	Legwear             // the same, darker
	Skin
	Hair
	Dark // eyes and shoes
)

// The colours of what is not the figure's own. Which skin and hair somebody has goes by his id.
var (
	skins = [...]uint32{0xe0b08c, 0xc68e68, 0x8d5a3c, 0xf0c8a8}
	hairs = [...]uint32{0x3a2a20, 0x6b4528, 0xb08850, 0x1f1b1a, 0x8a8580}
)

const (
	darkTone = 0x2b2724
	legShade = 0.55 // of the own colour
)

// Tint returns the colour of a tone of a dressed figure.
func Tint(t Tone, id world.ID, own uint32) uint32 {
	switch t {
	case Legwear:
		var c uint32
		for shift := 0; shift <= 16; shift += 8 {
			c |= uint32(float64(own>>shift&255)*legShade) << shift
		}
		return c
	case Skin:
		return skins[id.Number()%uint64(len(skins))]
	case Hair:
		return hairs[id.Number()%uint64(len(hairs))]
	case Dark:
		return darkTone
	}
	return own
}

// FigurePart is a piece of a figure, in its space: a [Sphere] or a [Capsule]. Its transform's scale is 1.
type FigurePart struct {
	Kind      Kind
	Transform world.Transform
	Size      Vec3 // full extents
	Tone      Tone
}

// What a figure is like that is 1.7 m tall and has a room of 0.7 m by 0.7 m, in metres, its feet at height 0 and its front at +z. Package
// viewer has the same in viewer/web/src/figure.js.
const (
	figureTall  = 1.7
	figureWide  = 0.7
	figureLow   = 1.2 / figureTall // of its height is left to one that crouches
	hipHigh     = 0.88
	ankleHigh   = 0.08
	legHalf     = 0.402 // thigh and shin, each
	stepReach   = 0.30  // how far before and behind the hip the feet get
	strolling   = 1.5   // m/s, at which they get that far
	shoulder    = 1.37
	upperArm    = 0.27
	lowerArm    = 0.25
	runsFrom    = 2.0 // m/s
	runsAllFrom = 6.0
)

// Parts returns what a figure consists of whose room has the given full extents, from the middle of that, from the feet up.
func (p Pose) Parts(size Vec3) []FigurePart {
	f := figure{wide: size[0] / figureWide, deep: size[2] / figureWide, tall: size[1] / figureTall}
	drop := 0.0
	if p.Low {
		f.tall /= figureLow
		drop = figureTall * (1 - figureLow)
	}
	f.thick = min(f.wide, f.deep, f.tall)
	f.down = size[1] / 2
	f.out = make([]FigurePart, 0, 18)

	swing := min(max(p.Speed, 0)/strolling, 1)
	run := min(max((p.Speed-runsFrom)/(runsAllFrom-runsFrom), 0), 1)
	lean := float64(0.05*swing) + float64(0.20*run)
	if p.Low {
		lean = 0.45
	}
	if p.Aloft {
		swing, run, lean = 0, 0, 0.08
	}
	hip := Vec3{0, hipHigh - drop - float64(0.03*swing), 0}
	if p.Low {
		hip[2] = -0.16
	}

	feet := [2]foot{footAt(p.Stride, swing, run), footAt(p.Stride+math.Pi, swing, run)}
	if p.Aloft {
		feet = [2]foot{{z: 0.16, up: 0.24, tip: 0.5, ahead: 0.6}, {z: -0.14, up: 0.10, tip: 0.7, ahead: -0.6}}
	}
	for i, side := range [...]float64{1, -1} { // the left is at +x of who looks along +z
		f.leg(hip, side, &feet[i])
	}

	// The trunk leans forward about the hips.
	sin, cos := world.Sincos(lean)
	trunk := func(x, y, z float64) Vec3 {
		y -= hipHigh
		return Vec3{x, hip[1] + float64(y*cos) - float64(z*sin), hip[2] + float64(y*sin) + float64(z*cos)}
	}
	turn := world.QuatFromEuler(lean, 0, 0)
	f.ball(Capsule, trunk(0, 0.93, 0), turn, Vec3{0.31, 0.25, 0.21}, Legwear)
	f.ball(Capsule, trunk(0, 1.20, 0), turn, Vec3{0.38, 0.56, 0.23}, Clothes)
	f.ball(Capsule, trunk(0, 1.46, 0), turn, Vec3{0.11, 0.20, 0.11}, Skin)
	f.ball(Sphere, trunk(0, 1.57, 0.01), turn, Vec3{0.21, 0.26, 0.23}, Skin)
	f.ball(Sphere, trunk(0, 1.603, -0.022), turn, Vec3{0.235, 0.22, 0.235}, Hair)
	f.ball(Sphere, trunk(0, 1.55, 0.128), turn, Vec3{0.035, 0.05, 0.045}, Skin)
	for i, side := range [...]float64{1, -1} {
		f.ball(Sphere, trunk(float64(0.045*side), 1.582, 0.108), turn, Vec3{0.030, 0.034, 0.03}, Dark)
		swung := float64(-feet[i].ahead * (float64(0.50*swing) + float64(0.25*run)))
		bend := 0.18 + float64(0.10*swing) + float64(1.2*run)
		spread := 0.13
		switch {
		case p.Aloft:
			swung, bend, spread = float64(-0.5*feet[i].ahead), 0.5, 0.8
		case p.Low:
			swung, bend = 0.5+float64(swung*0.5), 1.0
		}
		f.arm(trunk(float64(0.215*side), shoulder, 0), side, swung, bend, spread)
	}
	return f.out
}

// foot is where a foot is, from where it stands.
type foot struct {
	z, up float64
	tip   float64 // how far its toes point down, in radians
	ahead float64 // z, from -1 to 1
}

// footAt returns where a foot is in a stride that it begins in front: half of the time it stands and the body goes over it, the other half it is swung to
// the front again.
func footAt(stride, swing, run float64) foot {
	if swing == 0 {
		return foot{}
	}
	part := stride / (2 * math.Pi)
	part -= math.Floor(part)
	reach := float64((stepReach + float64(0.1*run)) * swing)
	if part < 0.5 {
		ahead := 1 - float64(4*part)
		return foot{z: float64(reach * ahead), ahead: ahead, tip: float64(0.5*swing) * max(-ahead-0.4, 0)}
	}
	part = float64(2*part) - 1 // of being swung
	sin, cos := world.Sincos(math.Pi * part)
	lift := float64((0.09 + float64(0.22*run)) * swing)
	return foot{z: float64(-reach * cos), up: float64(lift * sin), ahead: -cos, tip: float64(float64(0.5*swing) * float64(cos+1) / 2)}
}

// figure is one while its parts are put together.
type figure struct {
	wide, tall, deep float64 // of the usual figure
	thick            float64 // the least of them
	down             float64 // metres from the middle to the feet
	out              []FigurePart
}

// at returns where a place of the usual figure is.
func (f *figure) at(p Vec3) Vec3 {
	return Vec3{float64(p[0] * f.wide), float64(p[1]*f.tall) - f.down, float64(p[2] * f.deep)}
}

// ball adds a part about a place.
func (f *figure) ball(kind Kind, at Vec3, turn world.Quat, size Vec3, tone Tone) {
	t := world.Transform{Position: f.at(at), Rotation: turn, Scale: Vec3{1, 1, 1}}
	size = size.Mul(Vec3{f.wide, f.tall, f.deep})
	if kind == Sphere {
		size = size.Min(Vec3{1, 1, 1}.Scale(1.5 * min(size[0], size[1], size[2]))) // heads are round, whatever the figure
	}
	f.out = append(f.out, FigurePart{kind, t, size, tone})
}

// limb adds a part from one place to another.
func (f *figure) limb(from, to Vec3, radius float64, tone Tone) {
	from, to = f.at(from), f.at(to)
	way := from.Sub(to)
	length := way.Len()
	turn := world.NoRotation()
	if length > 1e-9 {
		turn = world.QuatBetween(Vec3{0, 1, 0}, way.Scale(1/length))
	}
	thick := 2 * float64(radius*f.thick)
	f.out = append(f.out, FigurePart{Capsule, world.Transform{Position: from.Add(to).Scale(0.5), Rotation: turn, Scale: Vec3{1, 1, 1}}, Vec3{thick, length + thick, thick}, tone})
}

// leg adds a leg that ends where a foot is; its knee is in front of the line from the hip to there.
func (f *figure) leg(hip Vec3, side float64, foot *foot) {
	hip[0] = float64(0.092 * side)
	ankle := Vec3{float64(0.095 * side), ankleHigh + foot.up, foot.z - 0.02}
	way := ankle.Sub(hip)
	way[0] = 0
	d := way.Len()
	if most := 2 * legHalf * 0.998; d > most { // the heel comes up
		way, d = way.Scale(most/d), most
		ankle[1], ankle[2] = hip[1]+way[1], hip[2]+way[2]
	}
	bent := math.Sqrt(max(float64(legHalf*legHalf)-float64(d*d)/4, 0))
	knee := Vec3{float64(0.096 * side), hip[1] + way[1]/2 + float64(bent*way[2])/d, hip[2] + way[2]/2 - float64(bent*way[1])/d}
	f.limb(hip, knee, 0.082, Legwear)
	f.limb(knee, ankle, 0.06, Legwear)
	sin, cos := world.Sincos(foot.tip)
	along := func(z float64) Vec3 {
		return ankle.Add(Vec3{0, -0.03 - float64(z*sin) - float64(0.01*cos), float64(z * cos)})
	}
	f.limb(along(-0.035), along(0.135), 0.045, Dark)
}

// arm adds an arm that is swung forward and bent at its elbow, by angles, and held away from the trunk.
func (f *figure) arm(at Vec3, side, swung, bend, spread float64) {
	reach := func(from Vec3, angle, length, spread float64) Vec3 {
		sin, cos := world.Sincos(angle)
		way := Vec3{float64(side * spread), -cos, sin}
		return from.Add(way.Scale(length / way.Len()))
	}
	elbow := reach(at, swung, upperArm, spread)
	wrist := reach(elbow, swung+bend, lowerArm, spread/3)
	f.limb(at, elbow, 0.055, Clothes)
	f.limb(elbow, wrist, 0.045, Clothes)
	f.limb(wrist, reach(wrist, swung+bend, 0.05, 0), 0.044, Skin)
}

// How tall a figure is, in samples, that is drawn as the capsule that its body is, and how long half of a part is that is left out; and into how many parts a
// quarter of a part is divided that throws a shadow, at most.
const (
	leastFigure = 6
	leastPart   = 0.3
	mostPart    = 3
)

// figure adds a figure: round parts that are divided as what is as large as they are. In a wireframe it is the capsule that its body is.
func (b *builder) figure(o *Object) {
	size := o.Size.Mul(o.Transform.Scale)
	for i := range size {
		size[i] = math.Abs(size[i])
	}
	scale := b.fr.lens.scale / max(b.fr.lens.project(o.Transform.Position).w, near)
	if b.takes == both || size[1]*scale < leastFigure {
		body := *o
		body.Kind = Capsule
		if l := b.lathe(Capsule, b.steps(radius(o))); b.affords(2 * l.sides * len(l.rings)) {
			b.round(&body, l)
		}
		return
	}
	colors := o.Dressed && b.takes == facing
	for _, part := range o.Pose.Parts(size) {
		if max(part.Size[0], part.Size[1], part.Size[2])*scale < 2*leastPart {
			continue
		}
		piece := Object{Kind: part.Kind, Size: part.Size, Transform: part.Transform}
		piece.Transform.Position = o.Transform.Position.Add(o.Transform.Rotation.Rotate(part.Transform.Position))
		piece.Transform.Rotation = o.Transform.Rotation.Mul(part.Transform.Rotation)
		b.place, b.tint = placeOf(&piece), 0
		if colors && part.Tone != Clothes {
			b.tint = tinted | Tint(part.Tone, o.ID, o.Color)
		}
		steps := b.steps(min(part.Size[0], part.Size[1], part.Size[2]) / 2)
		if b.takes == blocking {
			steps = min(steps, mostPart)
		}
		if l := b.lathe(part.Kind, steps); b.affords(2 * l.sides * len(l.rings)) {
			b.round(&piece, l)
		}
	}
	b.tint = 0
}
