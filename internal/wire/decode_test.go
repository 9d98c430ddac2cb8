package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/wire"
)

// What a model reads when it was wrong. Each message should let it be right the next
// time.
func TestDecodeSaysWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		into any
		text string
		want []string
	}{
		// The value itself.
		{&flat{}, `[]`, []string{`must be an object with shape, size, color, position, dynamic (optional: material), got an array`}},
		{&flat{}, `"x"`, []string{`must be an object with shape, size, color, position, dynamic (optional: material), got the string "x"`}},
		{&nothing{}, `{"a":1}`, []string{`a: unknown field: nothing is allowed here`}},

		// Presence.
		{&flat{}, `{"shape":"box"}`, []string{
			`size: is required: a number greater than 0 and at most 50`,
			`color: is required: an integer from 0 to 16777215`,
			`position: is required: an array of 3 items, each a number`,
			`dynamic: is required: true or false`,
		}},
		{&panel{}, `{}`, []string{`anchor: is required`}},
		{&create{}, `{"colr":1}`, []string{`colr: unknown field, did you mean "color"? allowed: shape, collider, size, pbr, color, position, scale, tags, layers, friction, static, meta`}},
		{&create{}, `{"Color":1}`, []string{`Color: unknown field, did you mean "color"? allowed: shape, collider, size, pbr, color, position, scale, tags, layers, friction, static, meta`}},
		// A value of another kind that a field takes which goes by that name elsewhere.
		{&create{}, `{"size":[4,3,0.2]}`, []string{`size: must be a number greater than 0 and at most 50, got an array: scale takes that`}},
		{&create{}, `{"scale":2}`, []string{`scale: must be an array of 3 items, each a number, got 2: size takes that`}},
		{&create{}, `{"size":1,"scale":2}`, []string{`scale: must be an array of 3 items, each a number, got 2`}},
		{&create{}, `{"scale":200}`, []string{`scale: must be an array of 3 items, each a number, got 200`}},
		{&create{}, `{"size":[4,3]}`, []string{`size: must be a number greater than 0 and at most 50, got an array`}},
		{&create{}, `{"width":4}`, []string{
			`width: unknown field, did you mean "scale"? allowed: shape, collider, size, pbr, color, position, scale, tags, layers, friction, static, meta`,
			`width: must be an array of 3 items, each a number, got 4`,
		}},
		// Another name that a field may be given by, as often as by its own: once.
		{&twoNamed{}, `{"skill":"a","name":"b"}`, []string{`name: is given twice`}},
		{&twoNamed{}, `{"skill":""}`, []string{`name: must have from 1 to 8 characters, got 0`}},
		{&twoNamed{}, `{"":"a"}`, []string{`[""]: unknown field, did you mean "name"? allowed: name`, `name: is required: a string of from 1 to 8 characters`}},
		{&twoNamed{}, `{"input":{"skill":"a"}}`, []string{`input: unknown field, write name in its place, not in it: allowed: name`, `name: is required: a string of from 1 to 8 characters`}},
		// The sides of a size.
		{&sided{}, `{"size":[8,3,6]}`, []string{`size: unknown field, write "width":8,"height":3,"depth":6 in its place: allowed: width, height, depth`}},
		{&sided{}, `{"dimensions":{"x":8,"y":3,"z":6}}`, []string{`dimensions: unknown field, write "width":8,"height":3,"depth":6 in its place: allowed: width, height, depth`}},
		{&sided{}, `{"size":[8,3,-6]}`, []string{`size: unknown field, allowed: width, height, depth`}},
		{&sided{}, `{"size":[8,3,6],"depth":1}`, []string{`size: unknown field, allowed: width, height, depth`}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"opacity":1}`, []string{`opacity: unknown field, allowed: r, g, b`}},
		{&rgb{}, `{"r":1,"rest":{"g":2,"x":{"r":1},"b":3,"g":4}}`, []string{
			`rest: unknown field, write g, b in its place, not in it: allowed: r, g, b`, `g: is required: an integer from 0 to 255`, `b: is required: an integer from 0 to 255`,
		}},
		// What is given where it belongs is not wanted twice.
		{&rgb{}, `{"r":1,"g":2,"rest":{"g":2,"b":3},"b":4}`, []string{`rest: unknown field, allowed: r, g, b`}},
		{&rgb{}, `{"rest":{"g":2,"b":3},"r":1,"g":2}`, []string{`rest: unknown field, write b in its place, not in it: allowed: r, g, b`, `b: is required: an integer from 0 to 255`}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"input":{"x":1}}`, []string{`input: unknown field, allowed: r, g, b`}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"input":{}}`, []string{`input: unknown field, allowed: r, g, b`}},
		{&nothing{}, `{"input":{"a":1}}`, []string{`input: unknown field: nothing is allowed here`}},
		// The name under which others know the field, the only one that is left, and what is wrong with its value at once.
		{&flat{}, `{"shape":"box","size":1,"colour":"red","pos":[1,2],"dynamic":true}`, []string{
			`colour: unknown field, did you mean "color"? allowed: shape, size, color, position, dynamic, material`,
			`colour: must be an integer from 0 to 16777215, got the string "red": as an integer that is 16711680`,
			`pos: unknown field, did you mean "position"? allowed: shape, size, color, position, dynamic, material`,
			`pos: must have 3 items, got 2`,
			`color: is required: an integer from 0 to 16777215`, `position: is required: an array of 3 items, each a number`,
		}},
		{&flat{}, `{"type":"box","radius":1,"tint":3,"at":[1,2,3],"movable":true}`, []string{
			`type: unknown field, did you mean "shape"? allowed: shape, size, color, position, dynamic, material`,
			`radius: unknown field, did you mean "size"? allowed: shape, size, color, position, dynamic, material`,
			`tint: unknown field, did you mean "color"? allowed: shape, size, color, position, dynamic, material`,
			`at: unknown field, did you mean "position"? allowed: shape, size, color, position, dynamic, material`,
			`movable: unknown field, did you mean "dynamic"? allowed: shape, size, color, position, dynamic, material`,
			`shape: is required: one of "box", "sphere"`, `size: is required: a number greater than 0 and at most 50`,
			`color: is required: an integer from 0 to 16777215`, // the eighth
		}},
		{&flat{}, `{"shape":"box","size":1,"color":1,"position":[0,0,0],"at":[1,2,3],"dynamic":true}`, []string{
			`at: unknown field, allowed: shape, size, color, position, dynamic, material`, // the position is given
		}},
		{&outer{}, `{"x":1}`, []string{`x: unknown field, put it into in or list: allowed: in, list`}},
		// An object of another kind: one word about all of it.
		{&walkable{}, `{"bounds":{"min":[-5,0,-4],"max":{"x":5,"y":3,"z":4}}}`, []string{`bounds: must be an object with minX, minZ, maxX, maxZ, got one with min, max: as such an object that is {"minX":-5,"minZ":-4,"maxX":5,"maxZ":4}`}},
		{&walkable{}, `{"bounds":{"center":[0,0,0],"size":10}}`, []string{`bounds: must be an object with minX, minZ, maxX, maxZ, got one with center, size`}},
		{&walkable{}, `{"bounds":{"min":[-5,"0",-4],"max":[[1],2,3]},"walls":[{"lo":[1,2],"hi":[3,4]}]}`, []string{
			`bounds: must be an object with minX, minZ, maxX, maxZ, got one with min, max`, `walls[0]: must be an object with minX, minZ, maxX, maxZ, got one with lo, hi`,
		}},
		{&walkable{}, `{"bounds":{"x":0,"z":1}}`, []string{`bounds: must be an object with minX, minZ, maxX, maxZ, got one with x, z`}},
		{&walkable{}, `{"bounds":{"minx":0,"z":1}}`, []string{
			`bounds.minx: unknown field, did you mean "minX"? allowed: minX, minZ, maxX, maxZ`, `bounds.z: unknown field, allowed: minX, minZ, maxX, maxZ`,
			`bounds.minX: is required: a number`, `bounds.minZ: is required: a number`, `bounds.maxX: is required: a number`, `bounds.maxZ: is required: a number`,
		}},
		{&angled{}, `{"angle":-90}`, []string{`angle: must be at least -6.3 and at most 6.3, got -90: it is in radians, and -90 degrees are -1.5708`}},
		{&rgb{}, `{"r":1,"g":2,"x":3}`, []string{`x: unknown field, did you mean "b"? allowed: r, g, b`, `b: is required: an integer from 0 to 255`}},
		{&rgb{}, `{"r":1,"g":2,"x":true}`, []string{`x: unknown field, allowed: r, g, b`, `b: is required: an integer from 0 to 255`}},
		{&rgb{}, `{"r":1,"x":2,"y":3}`, []string{
			`x: unknown field, allowed: r, g, b`, `y: unknown field, allowed: r, g, b`,
			`g: is required: an integer from 0 to 255`, `b: is required: an integer from 0 to 255`,
		}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"r":1}`, []string{`r: is given twice`}},
		{&create{}, `{"size":1,"size":null}`, []string{`size: is given twice`}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"\u0072":1}`, []string{`r: is given twice`}},
		{&rgb{}, `{"r":1,"g":2,"b":3,"a \"key\"":1}`, []string{`["a \"key\""]: unknown field, allowed: r, g, b`}},

		// Type.
		{&create{}, `{"size":"1.5"}`, []string{`size: must be a number greater than 0 and at most 50, got the string "1.5": leave the quotes out`}},
		{&create{}, `{"size":"70"}`, []string{`size: must be a number greater than 0 and at most 50, got the string "70"`}},
		{&create{}, `{"color":"255","static":"true","pbr":"yes"}`, []string{
			`color: must be an integer from 0 to 16777215, got the string "255": leave the quotes out`, `static: must be true or false, got the string "true": leave the quotes out`, `pbr: must be true or false, got the string "yes"`,
		}},
		{&create{}, `{"position":{"x":1,"z":3,"y":-2.5}}`, []string{`position: must be an array of 3 items, each a number, got an object: as an array that is [1,-2.5,3]`}},
		{&create{}, `{"position":{"x":1,"y":2}}`, []string{`position: must be an array of 3 items, each a number, got an object`}},
		{&create{}, `{"position":{"x":1,"y":2,"z":"3"}}`, []string{`position: must be an array of 3 items, each a number, got an object`}},
		{&create{}, `{"color":"red"}`, []string{`color: must be an integer from 0 to 16777215, got the string "red": as an integer that is 16711680`}},
		{&create{}, `{"color":"#ff8800"}`, []string{`color: must be an integer from 0 to 16777215, got the string "#ff8800": as an integer that is 16746496`}},
		{&create{}, `{"color":"0xFF8800"}`, []string{`color: must be an integer from 0 to 16777215, got the string "0xFF8800": as an integer that is 16746496`}},
		{&create{}, `{"color":"#ffffff"}`, []string{`color: must be an integer from 0 to 16777215, got the string "#ffffff": as an integer that is 16777215`}},
		{&create{}, `{"color":"0x1000000"}`, []string{`color: must be an integer from 0 to 16777215, got the string "0x1000000"`}},
		{&create{}, `{"color":"#f80"}`, []string{`color: must be an integer from 0 to 16777215, got the string "#f80": as an integer that is 16746496`}},
		{&create{}, `{"color":"#+f8800"}`, []string{`color: must be an integer from 0 to 16777215, got the string "#+f8800"`}},
		{&create{}, `{"color":[255, 136,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array: as an integer that is 16746496`}},
		{&create{}, `{"color":[1,0.5,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array: as an integer that is 16744448`}},
		{&create{}, `{"color":[1,0,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array: as an integer that is 16711680`}},
		{&create{}, `{"color":[0,0,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array: as an integer that is 0`}},
		{&create{}, `{"color":[2,0.5,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array`}},
		{&create{}, `{"color":[-1,0,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array`}},
		{&create{}, `{"color":[1,0,0,1]}`, []string{`color: must be an integer from 0 to 16777215, got an array`}},
		{&create{}, `{"color":"rgb(255, 136,0)"}`, []string{`color: must be an integer from 0 to 16777215, got the string "rgb(255, 136,0)": as an integer that is 16746496`}},
		{&create{}, `{"color":"Grey"}`, []string{`color: must be an integer from 0 to 16777215, got the string "Grey": as an integer that is 8421504`}},
		{&create{}, `{"color":"reddish"}`, []string{`color: must be an integer from 0 to 16777215, got the string "reddish"`}},
		{&create{}, `{"color":"#xyz"}`, []string{`color: must be an integer from 0 to 16777215, got the string "#xyz"`}},
		{&create{}, `{"color":"nan,0,0"}`, []string{`color: must be an integer from 0 to 16777215, got the string "nan,0,0"`}},
		{&create{}, `{"color":"rgb(nan,0,0)"}`, []string{`color: must be an integer from 0 to 16777215, got the string "rgb(nan,0,0)"`}},
		{&create{}, `{"color":""}`, []string{`color: must be an integer from 0 to 16777215, got the string ""`}},
		{&create{}, `{"color":{"r":255,"g":136,"b":0}}`, []string{`color: must be an integer from 0 to 16777215, got an object: as an integer that is 16746496`}},
		{&create{}, `{"color":{"r":1,"g":0.5,"b":0,"a":1}}`, []string{`color: must be an integer from 0 to 16777215, got an object: as an integer that is 16744448`}},
		{&create{}, `{"color":{"red":255}}`, []string{`color: must be an integer from 0 to 16777215, got an object`}},
		{&create{}, `{"color":[256,0,0]}`, []string{`color: must be an integer from 0 to 16777215, got an array`}},
		{&numbers{}, `{"i8":[1,2,3]}`, []string{`i8: must be an integer, got an array`}},
		{&create{}, `{"position":"[1,2,3]"}`, []string{`position: must be an array of 3 items, each a number, got the string "[1,2,3]": leave the quotes out`}},
		{&flat{}, `"{}"`, []string{`must be an object with shape, size, color, position, dynamic (optional: material), got the string "{}": leave the quotes out`}},
		{&create{}, `{"collider":"orb"}`, []string{`collider: must be one of "box", "sphere", "capsule", got "orb" (did you mean "sphere"?)`}},
		{&create{}, `{"collider":"helix"}`, []string{`collider: must be one of "box", "sphere", "capsule", got "helix"`}}, // goes by another word, which is not allowed here
		{&create{}, `{"color":1.5}`, []string{`color: must be an integer, got 1.5`}},
		{&create{}, `{"static":1}`, []string{`static: must be true or false, got 1`}},
		{&create{}, `{"collider":null}`, []string{`collider: must be one of "box", "sphere", "capsule", got null (leave the key out instead)`}},
		{&flat{Material: ""}, `{"shape":null,"size":1,"color":1,"position":[1,2,3],"dynamic":true}`, []string{`shape: must be one of "box", "sphere", got null`}},
		{&create{}, `{"tags":"a"}`, []string{`tags: must be an array of at most 4 items, each a string of from 1 to 8 characters, got the string "a": as an array that is ["a"]`}},
		{&create{}, `{"meta":[]}`, []string{`meta: must be an object, got an array`}},
		{&pointers{}, `{"text":1,"point":{}}`, []string{
			`text: must be a string of at most 4 characters, got 1`,
			`point: must be an array of 3 items, each a number, got an object`,
		}},

		// Limits.
		{&create{}, `{"size":70}`, []string{`size: must be greater than 0 and at most 50, got 70`}},
		{&create{}, `{"size":0}`, []string{`size: must be greater than 0 and at most 50, got 0`}},
		{&create{}, `{"size":1e999}`, []string{`size: must be greater than 0 and at most 50, got 1e999`}},
		{&create{}, `{"position":[1,-1e39,3]}`, []string{`position[1]: must be from -3.4e+38 to 3.4e+38, got -1e39`}},
		{&create{}, `{"position":[1,2]}`, []string{`position: must have 3 items, got 2`}},
		{&create{}, `{"position":[1,2,3,4,5]}`, []string{`position: must have 3 items, got 5`}},
		{&create{}, `{"shape":"Sphere"}`, []string{`shape: must be one of "box", "sphere", got "Sphere" (did you mean "sphere"?)`}},
		{&create{}, `{"shape":"cone"}`, []string{`shape: must be one of "box", "sphere", got "cone"`}},
		{&create{}, `{"tags":["a","","123456789"]}`, []string{
			`tags[1]: must have from 1 to 8 characters, got 0`,
			`tags[2]: must have from 1 to 8 characters, got 9`,
		}},
		{&create{}, `{"tags":["a","b","a"]}`, []string{`tags: must not hold anything twice: items 0 and 2 are equal`}},
		{&create{}, `{"tags":["a","b","c","d","e"]}`, []string{`tags: must have at most 4 items, got 5`}},
		{&numbers{}, `{"open":1}`, []string{`open: must be greater than -1 and less than 1, got 1`}},
		{&numbers{}, `{"open":-1}`, []string{`open: must be greater than -1 and less than 1, got -1`}},
		{&numbers{}, `{"i8":128,"i16":7,"i32":-5,"i64":9007199254740992,"u8":-1,"u":1e300,"size":3}`, []string{
			`i8: must be from -128 to 127, got 128`,
			`i16: must not be 7`,
			`i32: must be at least -4, got -5`,
			`i64: must be from -9007199254740991 to 9007199254740991, got 9007199254740992`,
			`u8: must be from 0 to 255, got -1`,
			`u: must be from 0 to 9007199254740991, got 1e300`,
			`size: must be one of 512, 1024, 2048, got 3`,
		}},
		{&texts{}, `{"id":"12","exact":"ab","not":"no","choice":"up"}`, []string{
			`id: must be an entity id like ent_12, got "12"`,
			`exact: must have exactly 3 characters, got 2`,
			`not: must not be no`,
			`choice: must be one of "left", "right", "top left", got "up"`,
		}},
		{&fallback{}, `{"mail":"nobody"}`, []string{`mail: breaks the rule "email", got nobody`}},
		{&fallback{}, `{"ids":["#fff","12","x"]}`, []string{`ids[2]: breaks the rule "hexcolor|numeric", got x`}},

		{&fallback{}, `{"port":80,"code":16,"level":15e-1,"even":true}`, []string{
			`port: must not be 80`,
			`code: must not be 16`,
			`level: must not be 1.5`,
		}},
		{&fallback{}, `{"plain":"a|b"}`, []string{`plain: breaks the rule "excludes=|", got a|b`}},
		{&fallback{}, `{"plain":"a,b"}`, []string{`plain: breaks the rule "excludes=,", got a,b`}},
		{&fallback{}, `{"short":"b"}`, []string{`short: breaks the rule "excludes=b", got b`}},
		{&fallback{}, `{"short":"a","plain":"ab"}`, nil},

		// A float32 is held to its limits as it is stored, and says them as they were written.
		{&single{}, `{"thin":0.1}`, nil},
		{&single{}, `{"thin":0.2,"off":0.1}`, []string{`thin: must be greater than 0 and at most 0.1, got 0.2`, `off: must not be 0.1`}},
		{&single{}, `{"thin":1e-60,"off":-0.0}`, []string{`thin: must be greater than 0 and at most 0.1, got 1e-60, which is 0 in 32 bits`, `off: must not be 0`}},

		// Of an enumeration only what no other limit refuses.
		{&numbers{}, `{"even":2}`, []string{`even: must be one of 4, 6, got 2`}},
		{&numbers{}, `{"even":6}`, []string{`even: must not be 6`}},
		{&texts{}, `{"id":"ent_1","pick":"up","sign":"a"}`, []string{
			`pick: must be one of "upper", "lower", got "up"`,
			`sign: must be one of " ", "a,b", "c|d", got "a"`,
		}},
		{&texts{}, `{"id":"ent_1","pick":"lower"}`, []string{`pick: must not be lower`}},

		// Depth.
		{&style{}, `{"title":{"align":"middle","scale":0},"runs":[{"text":"a"},{"txt":"b"}]}`, []string{
			`title.align: must be one of "left", "center", "right", got "middle"`,
			`title.scale: must be at least 1, got 0`,
			`runs[1].txt: unknown field, did you mean "text"? allowed: text, color, scale`,
			`runs[1].text: is required: a string of at least 1 character`,
		}},
		{&lists{}, `{"lines":["ok"],"grid":[[1,2],[3,"4"]]}`, []string{`grid[1][1]: must be an integer from -3 to 3, got the string "4"`}},
		{&maps{}, `{"parts":{"a":{"kind":"wall","weight":1},"a":{"kind":"wall","weight":2}}}`, []string{`parts.a: is given twice`}},
		{&maps{}, `{"hashes":{"a":"1234","b c":"12"}}`, []string{`hashes["b c"]: must have exactly 4 characters, got 2`}},
		{&maps{}, `{"any":[{"a":1e999}],"free":{"k":{"x":1,"x":2}}}`, []string{
			`any[0].a: must be a number that 64 bits can hold, got 1e999`,
			`free.k.x: is given twice`,
		}},

		// Unions.
		{&panel{}, `{"anchor":{"kind":"screen","corner":"top"},"target":[1,2]}`, []string{
			`anchor.corner: must be one of "top-left", "top-right", "center", got "top" (did you mean "top-left"?)`,
			`target: must have 3 items, got 2`,
		}},
		{&panel{}, `{"anchor":null,"target":"wall"}`, []string{
			`anchor: must not be null`,
			`target: must be an entity id like ent_12, got "wall"`,
		}},
		{&panel{}, `{"anchor":{"kind":"world"},"style":{"background":{"color":{"r":300,"g":0}}}}`, []string{
			`style.background.color.r: must be from 0 to 255, got 300`,
			`style.background.color.b: is required: an integer from 0 to 255`,
		}},

		// No more than eight, and nothing of what is quoted is long.
		{&vec3{}, `["` + strings.Repeat("ä", 100) + `",2,3]`, []string{`[0]: must be a number, got the string "` + strings.Repeat("ä", 23) + `…`}},
		{&lists{}, `{"lines":[1,2,3,4,5,6,7,8,9,10]}`, []string{
			`lines[0]: must be a string of at most 5 characters, got 1`,
			`lines[1]: must be a string of at most 5 characters, got 2`,
			`lines[2]: must be a string of at most 5 characters, got 3`,
			`lines: must have from 1 to 3 items, got 10`,
		}},
		{&struct{ A []int }{}, `{"A":[null,null,null,null,null,null,null,null,null]}`, []string{
			`A[0]: must be an integer, got null`, `A[1]: must be an integer, got null`, `A[2]: must be an integer, got null`,
			`A[3]: must be an integer, got null`, `A[4]: must be an integer, got null`, `A[5]: must be an integer, got null`,
			`A[6]: must be an integer, got null`, `A[7]: must be an integer, got null`,
		}},

		// Syntax comes before all else.
		{&create{}, ``, []string{`not valid JSON: the text is empty`}},
		{&create{}, `{"size":70,}`, []string{`not valid JSON: unexpected '}' at offset 11, after "{\"size\":70,"`}},
		{&create{}, `{"size":70`, []string{`not valid JSON: the text ends too early, at offset 10, after "{\"size\":70"`}},
		{&create{}, `{"size":1}]`, []string{`not valid JSON: unexpected ']' at offset 10, after "{\"size\":1}"`}},
		{&create{}, `{'size':1}`, []string{`not valid JSON: unexpected '\'' at offset 1, after "{"`}},
		{&create{}, `{"size":01}`, []string{`not valid JSON: unexpected '1' at offset 9, after "{\"size\":0"`}},
		{&create{}, `{"size":NaN}`, []string{`not valid JSON: unexpected 'N' at offset 8, after "{\"size\":"`}},
		{&create{}, `{"static":True}`, []string{`not valid JSON: unexpected 'T' at offset 10, after "{\"static\":"`}},
		{&create{}, "{\"tags\":[\"a\nb\"]}", []string{`not valid JSON: control character 0x0a (inside a string write \n, \t or \u000a) at offset 11, after "{\"tags\":[\"a"`}},
		{&create{}, `{"size":½}`, []string{`not valid JSON: unexpected '½' at offset 8, after "{\"size\":"`}},
		{&create{}, "\ufeff{}", []string{`not valid JSON: unexpected '\ufeff' at offset 0`}},
		{&create{}, "{\"tags\":[\"a\xffb\"]}", []string{`not valid JSON: invalid UTF-8 byte 0xff at offset 11, after "{\"tags\":[\"a"`}},
		{&maps{}, `{"any":` + strings.Repeat("[", 129) + strings.Repeat("]", 129) + `}`, []string{`not valid JSON: more than 128 arrays and objects inside each other at offset 135, after "[[[[[[[[[[[[[[[[[[[[[[[["`}},
	} {
		err := compile(t, typeOf(tt.into)).Decode([]byte(tt.text), tt.into)
		var got []string
		var problems wire.Errors
		errors.As(err, &problems)
		for _, p := range problems {
			got = append(got, p.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Decode(%s) into %T (-want +got):\n%s", tt.text, tt.into, diff)
		}
	}
}

func TestDecodeSetsDefaultsForAbsentKeys(t *testing.T) {
	plan := wire.PlanOf[create]()
	want := create{Shape: "box", Size: 1, Color: 0xffffff, Scale: vec3{1, 1, 1}, Layers: []int{1, 2}, Friction: 0.5, Static: true}
	var got create
	if err := plan.Decode([]byte(`{}`), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Decode({}) (-want +got):\n%s", diff)
	}

	// A value that is there stays, zero or not.
	got = create{}
	if err := plan.Decode([]byte(`{"static":false,"friction":0,"layers":[],"color":0,"scale":[0,0,0]}`), &got); err != nil {
		t.Fatal(err)
	}
	want = create{Shape: "box", Size: 1, Layers: []int{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Decode of zeros (-want +got):\n%s", diff)
	}

	// No two values share what a default refers to.
	var a, b create
	for _, v := range []*create{&a, &b} {
		if err := plan.Decode([]byte(`{}`), v); err != nil {
			t.Fatal(err)
		}
	}
	if a.Layers[0] = 99; b.Layers[0] != 1 {
		t.Error("two values share the slice of their default")
	}
}

func TestDefaultFillsWhatIsZero(t *testing.T) {
	got := create{Size: 3, Layers: []int{7}}
	wire.PlanOf[create]().Default(&got)
	want := create{Shape: "box", Size: 3, Color: 0xffffff, Scale: vec3{1, 1, 1}, Layers: []int{7}, Friction: 0.5, Static: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Default (-want +got):\n%s", diff)
	}

	quarter := 0.25
	nested := style{Runs: []textRun{{Text: "a"}, {Text: "b", Scale: 5}}}
	wire.PlanOf[style]().Default(&nested)
	if diff := cmp.Diff([]textRun{{Text: "a", Scale: 2}, {Text: "b", Scale: 5}}, nested.Runs); diff != "" {
		t.Errorf("Default of items (-want +got):\n%s", diff)
	}
	var ptrs pointers
	wire.PlanOf[pointers]().Default(&ptrs)
	if diff := cmp.Diff(pointers{Preset: &quarter}, ptrs); diff != "" {
		t.Errorf("Default of a pointer (-want +got):\n%s", diff)
	}
}

func TestDecodeKeepsNothingOfItsInput(t *testing.T) {
	text := []byte(`{"hashes":{"k":"abcd"},"any":["any"],"raw":{"r":"raw"},"free":{"f":"free"}}`)
	var got maps
	if err := wire.PlanOf[maps]().Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = '#'
	}
	want := maps{
		Hashes: map[string]string{"k": "abcd"},
		Any:    []any{"any"},
		Raw:    json.RawMessage(`{"r":"raw"}`),
		Free:   map[string]any{"f": "free"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after the input was overwritten (-want +got):\n%s", diff)
	}
}

func TestDecodeReadsWhatIsWhole(t *testing.T) {
	type one struct {
		N int64  `json:"n,omitempty" validate:"gte=-9223372036854775808,lte=9223372036854775807"`
		U uint64 `json:"u,omitempty" validate:"lte=18446744073709551615"`
	}
	zeros := strings.Repeat("0", 30)
	for text, want := range map[string]one{
		`{"n":1.0}`:                      {N: 1},
		`{"n":-0}`:                       {},
		`{"n":-0.0e5}`:                   {},
		`{"n":1e3}`:                      {N: 1000},
		`{"n":1.50E+1}`:                  {N: 15},
		`{"n":1200e-2}`:                  {N: 12},
		`{"n":-9223372036854775808}`:     {N: math.MinInt64},
		`{"n":9223372036854775807.000}`:  {N: math.MaxInt64},
		`{"u":18446744073709551615}`:     {U: math.MaxUint64},
		`{"u":1.8446744073709551615e19}`: {U: math.MaxUint64},
		`{"n":1.` + zeros + `}`:          {N: 1},
		`{"n":1` + zeros + `e-30}`:       {N: 1},
		`{"n":0.` + zeros + `1e31}`:      {N: 1},
		`{"n":0e999999999999999999999}`:  {},
	} {
		var got one
		if err := wire.PlanOf[one]().Decode([]byte(text), &got); err != nil || got != want {
			t.Errorf("Decode(%s) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		`{"n":9223372036854775808}`, `{"n":-9223372036854775809}`, `{"u":18446744073709551616}`, `{"u":-1}`,
		`{"n":1e99999999999999999999}`, `{"n":1e-99999999999999999999}`, `{"n":1.` + zeros + `1}`, `{"n":0.1}`,
		`{"n":1` + zeros + `}`, `{"n":1` + zeros + `1e-1}`, `{"u":18446744073709551615.5}`,
	} {
		if err := wire.PlanOf[one]().Decode([]byte(text), new(one)); err == nil {
			t.Errorf("Decode(%s): no error", text)
		}
	}
}

func TestDecodePanicsOnAnotherType(t *testing.T) {
	for _, v := range []any{nil, flat{}, &create{}, (*flat)(nil), new(any)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Decode into a %T: no panic", v)
				}
			}()
			_ = wire.PlanOf[flat]().Decode([]byte(`{}`), v)
		}()
	}
}

func TestHotPathsAllocateLittle(t *testing.T) {
	var (
		in   flat
		made create
		e    wire.Envelope
		dst  = make([]byte, 0, 1024)
		few  = []byte(`{"color":7}`)
		ent  = struct {
			Entity entity `json:"entity"`
		}{7}
		plan, presets, out = wire.PlanOf[flat](), wire.PlanOf[create](), compile(t, reflect.TypeOf(ent))
	)
	for _, tt := range []struct {
		name string
		most float64
		run  func() error
	}{
		{"Decode", 1, func() error { in = flat{}; return plan.Decode(flatText, &in) }}, // the free string
		{"Decode with defaults", 1, func() error { made = create{}; return presets.Decode(few, &made) }},
		{"Check", 0, func() error { return plan.Check(&in) }},
		{"Append", 0, func() (err error) { dst, err = plan.Append(dst[:0], &in); return err }},
		{"Append an id", 0, func() (err error) { dst, err = out.Append(dst[:0], &ent); return err }},
		{"Valid", 0, func() error { return wire.Valid(callText) }},
		{"ParseEnvelope", 0, func() error { wire.ParseEnvelope(callText, &e, nil); return nil }},
	} {
		var err error
		if got := testing.AllocsPerRun(100, func() { err = tt.run() }); got > tt.most || err != nil {
			t.Errorf("%s: %v allocations, want at most %v; error %v", tt.name, got, tt.most, err)
		}
	}
}

// TestManyProblems checks that who reads the most problems that are listed knows that there may be others.
func TestManyProblems(t *testing.T) {
	for n, cut := range map[int]bool{wire.MaxProblems - 1: false, wire.MaxProblems: true, 3 * wire.MaxProblems: true} {
		var in []int
		err := wire.PlanOf[[]int]().Decode([]byte("["+strings.Repeat(`"a",`, n)+"1]"), &in)
		var problems wire.Errors
		if !errors.As(err, &problems) || len(problems) != min(n, wire.MaxProblems) {
			t.Fatalf("%d bad items: %v", n, err)
		}
		if got := strings.HasSuffix(err.Error(), "; no more than 8 are listed"); got != cut {
			t.Errorf("%d bad items: %v", n, err)
		}
	}
}

// TestUnlistedProblemsCostLittle checks that nobody is asked what an unknown key meant whose problem is not listed: a message has room
// for a million of them, and each took a millisecond.
func TestUnlistedProblemsCostLittle(t *testing.T) {
	texts := func(n int) (keys, unions string) {
		var k, u strings.Builder
		for i := range n {
			fmt.Fprintf(&k, `,"k%d":1`, i)
			u.WriteString(`,{"kind":"world","entitty":1}`)
		}
		return "{" + k.String()[1:] + "}", "[" + u.String()[1:] + "]"
	}
	fewKeys, fewUnions := texts(wire.MaxProblems)
	manyKeys, manyUnions := texts(1000)
	for _, tt := range []struct {
		name   string
		decode func(text string) error
		few    string
		many   string
	}{
		{"unknown keys", func(text string) error { var in create; return wire.PlanOf[create]().Decode([]byte(text), &in) }, fewKeys, manyKeys},
		{"unions", func(text string) error { var in []anchor; return wire.PlanOf[[]anchor]().Decode([]byte(text), &in) }, fewUnions, manyUnions},
	} {
		few := testing.AllocsPerRun(1, func() { _ = tt.decode(tt.few) })
		if many := testing.AllocsPerRun(1, func() { _ = tt.decode(tt.many) }); many > 2*few {
			t.Errorf("1,000 %s take %v allocations, 8 of them %v", tt.name, many, few)
		}
		if few > 2000 {
			t.Errorf("8 %s take %v allocations", tt.name, few)
		}
		if err := tt.decode(tt.many); !strings.HasSuffix(err.Error(), "; no more than 8 are listed") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
