package operations_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
)

func value(name string) (float64, error) {
	known := map[string]float64{"w": 2.5, "n": 3, "zero": 0, "a.position.0": -1, "zA_09": 4}
	x, ok := known[name]
	if !ok {
		return 0, registry.Invalidf("%s is not known", name)
	}
	return x, nil
}

func TestCompute(t *testing.T) {
	tests := []struct {
		text, want string // a number, or part of the error
	}{
		{"$(1)", "1"},
		{"$(w)", "2.5"},
		{"$( w / 2 - 0.05 )", "1.2"},
		{"$(2 + 3 * 4)", "14"},
		{"$((2 + 3) * 4)", "20"},
		{"$(8 / 2 / 2)", "2"},
		{"$(5 - 3 - 1)", "1"},
		{"$(-w * -n)", "7.5"},
		{"$(a.position.0 - 1)", "-2"},
		{"$(zA_09 + 1)", "5"},
		{"$(0.1 + 0.2)", "0.30000000000000004"},
		{"$(floor(w) * 2 + ceil( n / 2 ))", "6"},
		{"$(round(w - 0.1) - -round(-0.5))", "1"},
		{"$(floor(1.2 / 0.4))", "3"},
		{"$(ceil((n + 0.6) / 1.2))", "3"},
		{"$(floor w)", "floor is not known"},
		{"$(floor(w)", "want an operator or ), got the end"},
		{"$(ceil(1 / zero))", "divides by zero"},
		{"$(1 / zero)", "divides by zero"},
		{"$(zero / zero)", "divides by zero"},
		{"$(1e3)", `want an operator or ), got "e3)"`},
		{"$(q)", "q is not known"},
		{"$()", `want a number, a name or (, got ")"`},
		{"$(1", "want an operator or ), got the end"},
		{"$(1))", `want the end after the last ), got ")"`},
		{"$(1.2.3)", "1.2.3 is no number"},
		{"$(1 +)", `want a number, a name or (, got ")"`},
		{"$(2 ^ 3)", `want an operator or ), got "^ 3)"`},
		{"$(" + strings.Repeat("(", 40) + "1" + strings.Repeat(")", 40) + ")", "at most 16 parentheses"},
		{"$(" + strings.Repeat("-", 40) + "1)", "at most 16 parentheses"},
		{"$(1" + strings.Repeat(" ", 300) + ")", "may have 256 bytes, this has 304"},
	}
	for _, tt := range tests {
		x, err := operations.Compute(tt.text, value)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
			}
			continue
		}
		if got := strconv.FormatFloat(x, 'g', -1, 64); got != tt.want {
			t.Errorf("%s = %s, want %s", tt.text, got, tt.want)
		}
	}
	names, err := operations.Names("$(w / (n - n) + a.b)")
	if got := strings.Join(names, " "); err != nil || got != "w n n a.b" {
		t.Errorf("names %q, %v", got, err)
	}
}

// tree makes a random expression, with as many parentheses as there can be, and works it out.
func tree(t *rapid.T, depth int) (text string, x float64) {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		n := rapid.IntRange(0, 999).Draw(t, "n")
		return fmt.Sprintf("%d.%d", n/10, n%10), float64(n/10) + float64(n%10)/10
	}
	a, x := tree(t, depth-1)
	b, y := tree(t, depth-1)
	switch op := rapid.SampledFrom([]string{"+", "-", "*", "/"}).Draw(t, "op"); op {
	case "+":
		return "(" + a + "+" + b + ")", x + y
	case "-":
		return "(" + a + " - " + b + ")", x - y
	case "*":
		return "(" + a + " *" + b + ")", float64(x * y)
	default:
		return "(" + a + "/" + b + ")", float64(x / y)
	}
}

// TestComputeTrees works random expressions out in Go, too. What Go parses from the same digits may
// differ in the last place from their sum, so it is a little tolerant.
func TestComputeTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, want := tree(t, 4)
		got, err := operations.Compute("$("+text+")", value)
		switch {
		case math.IsInf(want, 0) || math.IsNaN(want):
			if err == nil && math.Abs(got) < 1e12 {
				t.Fatalf("%s = %v, want an error", text, got)
			}
		case err != nil:
			if !strings.Contains(err.Error(), "256 bytes") && !strings.Contains(err.Error(), "zero") {
				t.Fatalf("%s: %v, want %v", text, err, want)
			}
		case math.Abs(got-want) > 1e-6*max(1, math.Abs(want)):
			if math.Abs(want) < 1e9 { // else it was divided by next to nothing
				t.Fatalf("%s = %v, want %v", text, got, want)
			}
		}
	})
}

// FuzzCompute holds it to end, whatever it is given, with a finite number or an error that is shown.
func FuzzCompute(f *testing.F) {
	for _, text := range []string{"$(1)", "$(w/2-(n+1)*3)", "$(((", "$(-.5)", "$(a.b.c)", "$(1..2)", "$", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := operations.Compute(text, value)
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Fatalf("%q = %v", text, x)
		}
		if err != nil && operations.Refused(err) == nil {
			t.Fatalf("%q: %v cannot be shown", text, err)
		}
	})
}
