// Package angle tells angles that are in radians, and slopes, from those that were meant in degrees, and has those by which something is turned.
package angle

import (
	"math"
	"strconv"
	"strings"
)

// most is the largest angle that says how something is turned: a turn, as somebody writes it who rounds.
const most = 6.3

// Note is what to say of the angles of a field, which were taken as radians, if one of them is beyond a turn: that is
// what they were taken as, and what they are in radians if they were meant in degrees. It is empty for all others. They are no error,
// because programs that count turns on have them too.
func Note(field string, angles ...float64) string {
	return note(field, angles, func(degrees float64) float64 { return math.Mod(degrees, 360) })
}

// Turning is [Note] for what turns on from one angle to another, or at a speed, where whole turns count: 360 degrees are 6.2832.
func Turning(field string, angles ...float64) string {
	return note(field, angles, func(degrees float64) float64 { return degrees })
}

// note is what [Note] says, of angles of which as many degrees count as counts says.
func note(field string, angles []float64, counts func(degrees float64) float64) string {
	for _, a := range angles {
		if math.Abs(a) > most {
			return field + " is in radians, and was taken so: " + number(a) + " is " + strconv.FormatFloat(a/(2*math.Pi), 'f', 1, 64) +
				" turns. If degrees were meant, give " + inRadians(angles, counts)
		}
	}
	return ""
}

// Slope is what to say of the steepest slope of a field, which was taken as height for distance, if it may be one in degrees: 5 is
// steeper than what anybody climbs, or than what grows on. nil is a field that was left out.
func Slope(field string, slope *float64) string {
	const steepest, upright = 5, 90
	if slope == nil || *slope <= steepest || *slope >= upright {
		return ""
	}
	const places, half = 1e4, 180
	return field + " is height for distance, and was taken so: " + number(*slope) + " is " + strconv.FormatFloat(math.Atan(*slope)*half/math.Pi, 'f', 1, 64) +
		" degrees. If degrees were meant, give " + number(math.Round(math.Tan(*slope*math.Pi/half)*places)/places)
}

// inRadians writes what counts of angles in degrees as their field has them in radians: one, or an array.
func inRadians(degrees []float64, counts func(degrees float64) float64) string {
	texts := make([]string, len(degrees))
	for i, d := range degrees {
		const places = 1e4
		texts[i] = number(math.Round(counts(d)*math.Pi/180*places) / places)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func number(f float64) string { return strconv.FormatFloat(f+0, 'g', -1, 64) }
