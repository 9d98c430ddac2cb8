package wire_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// The types that the tests of this package read and write. Between them they have
// every kind and every rule.

type vec3 [3]float64

// flat is the input of the benchmark in ../shared/bench.
type flat struct {
	Shape    string  `json:"shape" validate:"oneof=box sphere"`
	Size     float64 `json:"size" validate:"gt=0,lte=50"`
	Color    int     `json:"color" validate:"gte=0,lte=16777215"`
	Position vec3    `json:"position"`
	Dynamic  bool    `json:"dynamic"`
	Material string  `json:"material,omitempty" validate:"max=64"`
}

// create is what the catalogue makes of it: nearly everything may be left out.
// twoNamed has a field that goes by two names.
type twoNamed struct {
	Name string `json:"name" validate:"min=1,max=8" jsonschema:"also=skill"`
}

type create struct {
	Shape    string         `json:"shape" validate:"omitempty,oneof=box sphere" jsonschema:"default=box" jsonschema_description:"Visible shape."`
	Collider string         `json:"collider,omitempty" validate:"omitempty,oneof=box sphere capsule"`
	Size     float64        `json:"size" validate:"gt=0,lte=50" jsonschema:"default=1"`
	PBR      bool           `json:"pbr" jsonschema:"default=false"`
	Color    int            `json:"color" validate:"gte=0,lte=0xFFFFFF" jsonschema:"default=16777215"`
	Position vec3           `json:"position" jsonschema:"default=0 0 0"`
	Scale    vec3           `json:"scale" jsonschema:"default=1 1 1"`
	Tags     []string       `json:"tags,omitempty" validate:"max=4,unique,dive,min=1,max=8"`
	Layers   []int          `json:"layers" validate:"max=3" jsonschema:"default=1 2"`
	Friction float64        `json:"friction" validate:"gte=0,lte=10" jsonschema:"default=0.5"`
	Static   bool           `json:"static" jsonschema:"default=true"`
	Meta     map[string]any `json:"meta,omitempty"`
}

// outer has objects inside.
type outer struct {
	In *struct {
		X int `json:"x"`
	} `json:"in,omitempty"`
	List []struct {
		X int `json:"x"`
	} `json:"list,omitempty"`
}

type rect struct {
	MinX float64 `json:"minX"`
	MinZ float64 `json:"minZ"`
	MaxX float64 `json:"maxX"`
	MaxZ float64 `json:"maxZ"`
}

type walkable struct {
	Bounds rect   `json:"bounds"`
	Walls  []rect `json:"walls,omitempty"`
}

type angled struct {
	Angle float64 `json:"angle" validate:"gte=-6.3,lte=6.3"`
}

type style struct {
	Background *background `json:"background,omitempty"`
	Title      *struct {
		Color *color `json:"color,omitempty"`
		Align string `json:"align,omitempty" validate:"omitempty,oneof=left center right"`
		Scale int    `json:"scale,omitempty" validate:"gte=1"`
	} `json:"title,omitempty"`
	Padding  *padding  `json:"padding,omitempty"`
	MaxLines int       `json:"maxLines,omitempty" validate:"gt=0"`
	Runs     []textRun `json:"runs,omitempty" validate:"max=3,dive"`
}

type background struct {
	Color   color    `json:"color"`
	Opacity *float64 `json:"opacity,omitempty" validate:"omitempty,gte=0,lte=1"`
}

type textRun struct {
	Text  string `json:"text" validate:"min=1"`
	Color *color `json:"color,omitempty"`
	Scale int    `json:"scale" validate:"gte=1,lte=9" jsonschema:"default=2"`
}

// panel has unions in it.
type panel struct {
	Anchor anchor  `json:"anchor"`
	Style  style   `json:"style,omitempty"`
	Target *target `json:"target,omitempty"`
	Owner  entity  `json:"owner,omitempty"`
}

type lists struct {
	Lines   []string    `json:"lines" validate:"min=1,max=3,dive,max=5"`
	Grid    [][]int     `json:"grid,omitempty" validate:"max=2,dive,len=2,dive,gte=-3,lte=3"`
	Pairs   [][2]string `json:"pairs,omitempty" validate:"dive"`
	Parts   []part      `json:"parts,omitempty" validate:"min=2,max=8"`
	Numbers []float64   `json:"numbers,omitempty" validate:"unique,dive,ne=0"`
	Points  [2]vec3     `json:"points,omitempty"`
	Owners  []entity    `json:"owners,omitempty"`
	Words   []word      `json:"words,omitempty" validate:"unique,dive,oneof=one two 'three four'"`
	Unions  []target    `json:"unions,omitempty" validate:"max=2"`
	Ptrs    []*int      `json:"ptrs,omitempty" validate:"dive,lt=5"`
}

type word string

type part struct {
	Kind   string  `json:"kind" validate:"eq=wall"`
	Weight float64 `json:"weight" validate:"gt=0"`
}

type embedded struct {
	base
	Extra string `json:"extra,omitempty" validate:"len=3"`
	Named Common `json:"named"`
	Skip  int    `json:"-"`
	NoTag bool
}

type base struct {
	Common
	Depth int8 `json:"depth,omitempty"`
}

// Common is exported, as embedded types mostly are.
type Common struct {
	Name string `json:"name" validate:"required,min=2"`
	Rank uint8  `json:"rank,omitempty" validate:"lt=200"`
}

type pointers struct {
	Flag   *bool    `json:"flag,omitempty"`
	Count  *int     `json:"count,omitempty" validate:"gte=0,lte=9"`
	Text   *string  `json:"text" jsonschema:"nullable" validate:"max=4"`
	Point  *vec3    `json:"point" jsonschema:"nullable,description=Where it is."`
	Near   *part    `json:"near,omitempty"`
	Preset *float64 `json:"preset" jsonschema:"default=0.25" validate:"lte=1"`
}

type maps struct {
	Hashes map[string]string    `json:"hashes,omitempty" validate:"max=2,dive,len=4"`
	Parts  map[word]part        `json:"parts,omitempty"`
	Free   map[string]any       `json:"free" jsonschema:"default={}"`
	Any    any                  `json:"any,omitempty"`
	Raw    json.RawMessage      `json:"raw,omitempty"`
	Lists  map[string][]float64 `json:"lists,omitempty" validate:"min=1"`
}

type numbers struct {
	I8   int8    `json:"i8,omitempty"`
	I16  int16   `json:"i16,omitempty" validate:"ne=7,ne=8"`
	I32  int32   `json:"i32,omitempty" validate:"gt=-5"`
	I64  int64   `json:"i64,omitempty"`
	Wide int64   `json:"wide,omitempty" validate:"gte=-9223372036854775808,lte=9223372036854775807"`
	U8   uint8   `json:"u8,omitempty"`
	U64  uint64  `json:"u64,omitempty" validate:"lte=18446744073709551615"`
	U    uint    `json:"u,omitempty"`
	F32  float32 `json:"f32,omitempty"`
	F64  float64 `json:"f64,omitempty"`
	Open float64 `json:"open,omitempty" validate:"gt=-1,lt=1"`
	Size int     `json:"size,omitempty" validate:"oneof=512 1024 2048"`
	Neg  float64 `json:"neg,omitempty" validate:"lte=-0.01"`
	Even int     `json:"even,omitempty" validate:"oneof=2 4 6,gt=2,ne=6"`
}

// single is held to its limits as it is stored, so the schema cannot tell what is refused of numbers that are rounded.
type single struct {
	Thin float32 `json:"thin,omitempty" validate:"gt=0,lte=0.1"`
	Wide float32 `json:"wide,omitempty" validate:"gte=0.7,lt=16777217"`
	Off  float32 `json:"off,omitempty" validate:"ne=0.1,ne=-0"`
	Only float32 `json:"only,omitempty" validate:"eq=0.3"`
}

type texts struct {
	Short  string `json:"short,omitempty" validate:"min=2,max=4"`
	Exact  string `json:"exact,omitempty" validate:"len=3"`
	Not    string `json:"not,omitempty" validate:"ne=no"`
	Choice word   `json:"choice,omitempty" validate:"oneof=left right 'top left'"`
	ID     entity `json:"id"`
	Sign   string `json:"sign,omitempty" validate:"oneof=' ' a0x2Cb  c0x7Cd"`
	Pick   word   `json:"pick,omitempty" validate:"oneof=up upper lower,min=3,ne=lower"`
	Blank  string `json:"blank" jsonschema:"default="`
	Key    string `json:"with-dash.and/slash$,omitempty"`
}

type nothing struct{}

// fallback has rules that only validator/v10 knows, and others that are rare.
type fallback struct {
	Port  uint16   `json:"port,omitempty" validate:"ne=0x50"`
	Code  int      `json:"code,omitempty" validate:"ne=0x10"`
	Level float32  `json:"level,omitempty" validate:"ne=1.50"`
	Even  bool     `json:"even,omitempty" validate:"boolean"`
	Mail  string   `json:"mail,omitempty" validate:"omitempty,email,max=20"`
	Plain string   `json:"plain,omitempty" validate:"excludes=0x7C,excludes=0x2C"`
	Short string   `json:"short,omitempty" validate:"oneof=a b,alphanum,excludes=b"`
	IDs   []string `json:"ids,omitempty" validate:"dive,hexcolor|numeric"`
}

// entity is a text type as world.ID is: "ent_<n>" on the wire.
type entity uint64

func (e entity) AppendText(b []byte) ([]byte, error) {
	return strconv.AppendUint(append(b, "ent_"...), uint64(e), 10), nil
}
func (e entity) MarshalText() ([]byte, error) { return e.AppendText(nil) }

func (e *entity) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "ent_")
	n, err := strconv.ParseUint(digits, 10, 60)
	if !ok || err != nil || digits[0] == '+' || digits[0] == '0' && len(digits) > 1 {
		return errors.New("must be an entity id like ent_12, got " + strconv.Quote(string(text)))
	}
	*e = entity(n)
	return nil
}
func (entity) JSONSchemaPattern() string { return "^ent_(0|[1-9][0-9]*)$" }

// color is a union that means one thing: 0xRRGGBB or {r,g,b}. It is written as a number.
type color uint32

// sided has the sides of a box.
type sided struct {
	Width  float64 `json:"width,omitempty" validate:"omitempty,gt=0"`
	Height float64 `json:"height,omitempty" validate:"omitempty,gt=0"`
	Depth  float64 `json:"depth,omitempty" validate:"omitempty,gt=0"`
}

type rgb struct {
	R int `json:"r" validate:"gte=0,lte=255"`
	G int `json:"g" validate:"gte=0,lte=255"`
	B int `json:"b" validate:"gte=0,lte=255"`
}

func (c *color) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		var parts rgb
		err := wire.Unmarshal(data, &parts)
		*c = color(parts.R<<16 | parts.G<<8 | parts.B)
		return err
	}
	var n uint32
	if err := wire.Unmarshal(data, &n); err != nil {
		return err
	}
	if n > 0xffffff {
		return wire.Errors{{Message: "must be at most 16777215, got " + string(data)}}
	}
	*c = color(n)
	return nil
}
func (c color) MarshalJSON() ([]byte, error) { return strconv.AppendUint(nil, uint64(c), 10), nil }

func (color) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "integer", Minimum: "0", Maximum: "16777215"},
		wire.PlanOf[rgb]().Schema(),
	}}
}

// target is a union of an id and a point.
type target struct {
	Entity entity
	Point  *vec3
}

func (t *target) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return wire.Unmarshal(data, &t.Point)
	}
	return wire.Unmarshal(data, &t.Entity)
}

func (t target) MarshalJSON() ([]byte, error) {
	if t.Point != nil {
		return json.Marshal(t.Point)
	}
	return json.Marshal(t.Entity)
}

func (target) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		wire.PlanOf[entity]().Schema(),
		wire.PlanOf[vec3]().Schema(),
	}}
}

// padding is a union of a number and an object.
type padding struct {
	Top    float64 `json:"top" validate:"gte=0"`
	Bottom float64 `json:"bottom" validate:"gte=0"`
}

type sides padding

func (p *padding) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		return wire.Unmarshal(data, (*sides)(p))
	}
	var f float64
	if err := wire.Unmarshal(data, &f); err != nil {
		return err
	}
	if f < 0 {
		return wire.Errors{{Message: "must be at least 0, got " + string(data)}}
	}
	p.Top, p.Bottom = f, f
	return nil
}
func (p padding) MarshalJSON() ([]byte, error) { return json.Marshal(sides(p)) }

func (padding) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number", Minimum: "0", Maximum: "3.4e38"},
		wire.PlanOf[sides]().Schema(),
	}}
}

// anchor is a union of two objects that a key tells apart.
type anchor struct {
	World  *worldAnchor
	Screen *screenAnchor
}

type worldAnchor struct {
	Kind      string `json:"kind" validate:"eq=world"`
	Entity    entity `json:"entity,omitempty"`
	Point     *vec3  `json:"point,omitempty"`
	Billboard bool   `json:"billboard,omitempty"`
}

type screenAnchor struct {
	Kind   string      `json:"kind" validate:"eq=screen"`
	Corner string      `json:"corner,omitempty" validate:"omitempty,oneof=top-left top-right center"`
	Margin *[2]float64 `json:"marginPx,omitempty"`
}

func (a *anchor) UnmarshalJSON(data []byte) error {
	// Which spelling the kind has does not matter, so it is read.
	var kind string
	if raw := wire.Member(data, "kind"); raw != nil {
		_ = wire.Unmarshal(raw, &kind)
	}
	if kind == "screen" {
		return wire.Unmarshal(data, &a.Screen)
	}
	return wire.Unmarshal(data, &a.World)
}

func (a anchor) MarshalJSON() ([]byte, error) {
	if a.Screen != nil {
		return json.Marshal(a.Screen)
	}
	return json.Marshal(a.World)
}

func (anchor) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		AnyOf: []*jsonschema.Schema{
			wire.PlanOf[worldAnchor]().Schema(),
			wire.PlanOf[screenAnchor]().Schema(),
		},
		Description: "Where it hangs.",
	}
}

// inputs are the types with their names.
var inputs = []struct {
	name string
	typ  reflect.Type
}{
	{"flat", reflect.TypeFor[flat]()},
	{"create", reflect.TypeFor[create]()},
	{"style", reflect.TypeFor[style]()},
	{"panel", reflect.TypeFor[panel]()},
	{"lists", reflect.TypeFor[lists]()},
	{"embedded", reflect.TypeFor[embedded]()},
	{"pointers", reflect.TypeFor[pointers]()},
	{"maps", reflect.TypeFor[maps]()},
	{"numbers", reflect.TypeFor[numbers]()},
	{"texts", reflect.TypeFor[texts]()},
	{"nothing", reflect.TypeFor[nothing]()},
}
