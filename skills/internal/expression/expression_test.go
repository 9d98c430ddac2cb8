package expression

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// read is what the expressions of the tests read.
func read(r Ref) Value {
	switch r {
	case Ref{"flag", "open"}:
		return Bool(true)
	case Ref{"counter", "coins"}:
		return Value{sort: number, num: 10}
	case Ref{"variable", "phase"}:
		return Value{sort: text, text: "night"}
	case Ref{"variable", "wave"}:
		return Value{sort: number, num: 3}
	case Ref{"variable", "sure"}:
		return Bool(true)
	case Ref{"variable", "nothing"}:
		return Value{}
	}
	switch r.Kind {
	case "flag":
		return Bool(false)
	case "counter":
		return Value{sort: number}
	}
	return Value{}
}

func TestExpressions(t *testing.T) {
	for src, want := range map[string]bool{
		`true`: true, `false`: false, `flag("open")`: true, `flag("shut")`: false, `variable("sure")`: true, `variable("wave")`: false,
		`counter("coins") >= 10`: true, `counter("coins")>10`: false, `counter('coins') == 10.0`: true, `counter("none") == 0`: true,
		`-1 < .5`: true, `1e3 <= 1000`: true, `-.5 != -0.5`: false,
		`variable("phase") == "night"`: true, `variable("phase") != 'day'`: true, `variable("phase") < 3`: false, `variable("phase") == 3`: false,
		`variable("nothing") == variable("nothing")`: false, `variable("nothing") != 1`: true, `variable("nothing") < 1`: false,
		`not flag("open") or flag("open")`: true, `not (flag("open") or flag("open"))`: false, `!flag("open") == false`: true,
		`not counter("coins") == 3`: true, `not not flag("open")`: true, `!!flag("open")`: true, `flag("shut") == false`: true,
		`false and false or true`: true, `true || false && false`: true, `(true || false) && false`: false,
		`"a\"b" == 'a"b'`: true, `'\\' == "\\"`: true, `"" == ''`: true, ` ( ( true ) ) `: true, `"é" == "é"`: true,
	} {
		e, err := Parse(src, false)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := e.Holds(read); got != want {
			t.Errorf("%s is %v, want %v", src, got, want)
		}
	}
}

func TestWrongExpressions(t *testing.T) {
	for src, want := range map[string]string{
		`item("gold") > 4`:        `expression: at character 1, "item(\"gold\") > 4": item means nothing here: only flag("…"), counter("…") and variable("…") do; the if of actions and conditions of dialogues know item("…"), stat("…") and quest("…") of somebody. What somebody owns, has or has done can set one: setState with game, as an action at quest.completed or stats.onZero`,
		`coins >= 10`:             `expression: at character 1, "coins >= 10": coins means nothing: write flag("coins"), counter("coins") or variable("coins"), and texts in quotes`,
		`counter("coins") = 10`:   `expression: at character 18, "= 10": write == to compare`,
		`true = true`:             `expression: at character 6, "= true": write == to compare`,
		`counter("coins") >`:      `expression: at the end: want flag("…"), counter("…"), variable("…"), a number, a text in quotes, true, false, not or ( here, got the end`,
		``:                        `expression: at the end: want flag("…"), counter("…"), variable("…"), a number, a text in quotes, true, false, not or ( here, got the end`,
		`counter("coins")`:        `expression: at character 1, "counter(\"coins\")": a condition is true or false, this is a number`,
		`flag("a") > 1`:           `expression: at character 1, "flag(\"a\") > 1": what > compares is a number, this is true or false`,
		`1 == "1"`:                `expression: at character 1, "1 == \"1\"": a number never equals a text`,
		`true and 1`:              `expression: at character 10, "1": what stands beside and is true or false, this is a number`,
		`not 1`:                   `expression: at character 5, "1": what stands behind not is true or false, this is a number`,
		`1 < 2 < 3`:               `expression: at character 7, "< 3": one comparison at a time: join two by and`,
		`(true`:                   `expression: at the end: want the ) of the ( at character 1 here, got the end`,
		`true)`:                   `expression: at character 5, ")": want and, or, a comparison or the end here, got ")"`,
		`true true`:               `expression: at character 6, "true": want and, or, a comparison or the end here, got "true"`,
		`flag open`:               `expression: at character 1, "flag open": write flag("name")`,
		`flag(open)`:              `expression: at character 6, "open)": want a name in quotes, of at most 128 bytes: flag("name")`,
		`flag("")`:                `expression: at character 6, "\"\")": want a name in quotes, of at most 128 bytes: flag("name")`,
		`flag("a"`:                `expression: at the end: want ) here, as in flag("name"), got the end`,
		`flag("a`:                 `expression: at character 6, "\"a": the text has no closing "`,
		`1.2.3 == 1`:              `expression: at character 1, "1.2.3 == 1": "1.2.3" is no number`,
		`1e999 == 1`:              `expression: at character 1, "1e999 == 1": "1e999" is no number`,
		`"é" == é`:                `expression: at character 8, "é": want flag("…"), counter("…"), variable("…"), a number, a text in quotes, true, false, not or ( here, got "é"`,
		strings.Repeat("(", 33):   `expression: at character 33, "(": at most 32 parentheses and negations may be in one another`,
		strings.Repeat("!", 40):   `expression: at character 33, "!!!!!!!!": at most 32 parentheses and negations may be in one another`,
		strings.Repeat(" ", 1025): `expression: holds at most 1024 bytes, this one has 1025`,
	} {
		if _, err := Parse(src, false); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", src, err, want)
		}
	}
}

// tree is an expression that the test makes of nothing but Go.
type tree struct {
	text string // with all parentheses
	bare string // with those that it needs
	rank int    // how tightly it binds: 0 or, 1 and, 2 not, 3 comparison, 4 operand
	is   bool
}

// TestAgainstTrees reads random expressions, written with all parentheses and with as few as possible, and compares with what they were made to be.
func TestAgainstTrees(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := drawTree(rt, 5)
		for _, src := range []string{want.text, want.bare} {
			if len(src) > Max {
				continue
			}
			e, err := Parse(src, false)
			if err != nil {
				rt.Fatalf("%s: %v", src, err)
			}
			if got := e.Holds(read); got != want.is {
				rt.Fatalf("%s is %v, want %v", src, got, want.is)
			}
		}
	})
}

func drawTree(rt *rapid.T, deep int) tree {
	kind := rapid.IntRange(0, 5).Draw(rt, "kind")
	if deep == 0 {
		kind = 4 + kind%2
	}
	wrap := func(t tree, least int) string {
		if t.rank < least {
			return "(" + t.bare + ")"
		}
		return t.bare
	}
	sign := func(signs ...string) string { return rapid.SampledFrom(signs).Draw(rt, "sign") }
	switch kind {
	case 0, 1:
		a, b := drawTree(rt, deep-1), drawTree(rt, deep-1)
		op, is := sign("or", "||"), a.is || b.is
		if kind == 1 {
			op, is = sign("and", "&&"), a.is && b.is
		}
		return tree{"(" + a.text + " " + op + " " + b.text + ")", wrap(a, kind) + " " + op + " " + wrap(b, kind+1), kind, is}
	case 2:
		a := drawTree(rt, deep-1)
		return tree{"(not " + a.text + ")", "not " + wrap(a, 2), 2, !a.is}
	case 3:
		a := drawTree(rt, deep-1)
		return tree{"(! " + a.text + ")", "!" + wrap(a, 4), 4, !a.is}
	case 4:
		x, y := rapid.IntRange(-3, 3).Draw(rt, "x"), rapid.IntRange(-3, 3).Draw(rt, "y")
		op := sign("==", "!=", "<", "<=", ">", ">=")
		is := map[string]bool{"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]
		text := fmt.Sprintf("%d%s%d", x, op, y)
		return tree{"(" + text + ")", text, 3, is}
	}
	leaf := rapid.SampledFrom([]tree{{text: `flag("open")`, is: true}, {text: `flag('x')`}, {text: "true", is: true}, {text: "false"}, {text: `variable("sure")`, is: true}, {text: `variable("phase")`}}).Draw(rt, "leaf")
	return tree{leaf.text, leaf.text, 4, leaf.is}
}

// FuzzParse reads anything: what is refused is refused with a place, what is not is the same in parentheses.
func FuzzParse(f *testing.F) {
	for _, src := range []string{`counter("coins") >= 10 and not flag('over')`, `(((`, `"\`, `!-.5e+1`, "flag(\"\xff\")", `a = b`, ``, strings.Repeat("\xb5", 200)} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		e, err := Parse(src, false)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "expression: ") || len(err.Error()) > 600 {
				t.Errorf("%q: %v", src, err)
			}
			return
		}
		again, err := Parse("("+src+")", false)
		if err != nil && len(src) < Max-2 && !strings.Contains(err.Error(), "in one another") {
			t.Errorf("%q in parentheses: %v", src, err)
		}
		if err == nil && again.Holds(read) != e.Holds(read) {
			t.Errorf("%q is something else in parentheses", src)
		}
	})
}

// What is worked out follows the rules of arithmetic, and comes to nothing where a part does.
func TestValue(t *testing.T) {
	read := func(r Ref) Value {
		switch r {
		case Ref{Kind: "counter", Name: "w"}:
			return Number(3)
		case Ref{Kind: "timer", Name: "t"}:
			return Number(1.5)
		case Ref{Kind: "variable", Name: "text"}:
			return Text("x")
		}
		return Value{}
	}
	for src, want := range map[string]any{
		`20 + counter("w") * 5`: 35.0, `2 * -counter("w") - -1`: -5.0, `counter("w") -1`: 2.0, `(1+2)*(3-5)/4`: -1.5, `10-2-3`: 5.0, `8/2/2`: 2.0,
		`floor(timer("t")) + ceil(timer('t')) + round(0.5 + 1)`: 5.0, `counter("w") - 1 >= 2 and not (1 + 1 == 3)`: true, `variable("text")`: "x", `"a"`: "a", `flag("f")`: nil,
		`1 / (counter("w") - 3)`: nil, `variable("text") + 1`: nil, `variable("none") * 0`: nil, `floor(variable("text"))`: nil, `3e38 * 10`: nil, `-(2 + 1)`: -3.0,
	} {
		e, err := ParseValue(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := e.Value(read).Any(); got != want {
			t.Errorf("%s is %v, want %v", src, got, want)
		}
	}
	for src, want := range map[string]string{
		`1 +`:                           `at the end: want flag("…")`,
		`"a" * 2`:                       `at character 1, "\"a\" * 2": what stands beside * is a number, this is a text`,
		`floor 2`:                       `write floor( ) with a number in it`,
		`-true`:                         `what stands behind - is a number, this is true or false`,
		`(1 + 2`:                        `want the ) of the ( at character 1 here`,
		strings.Repeat("-", 40) + "(1)": `at most 32 parentheses and negations may be in one another`,
	} {
		if _, err := ParseValue(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	for src, want := range map[string]string{
		`1 + 1`:          `a condition is true or false, this is a number`,
		`timer("t") > 1`: `a timer means nothing here`,
	} {
		if _, err := Parse(src, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
