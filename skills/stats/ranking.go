package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// How many a ranking shows.
const (
	usualRanked = 5
	maxRanked   = 20
)

// Ranking is who has most of a stat, for texts of panels: "1. Bob 20", a line each, of all entities that have it, the best first and equal ones in the order of their ids. The
// name may go on with how many are shown, "score:10"; 5 are if not, and 20 at most. It says why it is "-" if nobody has it.
func (s *Stats) Ranking(v *world.View, _ world.ID, name string) (text, missing string) {
	name, most := ranked(name)
	type place struct {
		id    world.ID
		value float64
	}
	var places []place
	for id, block := range s.blocks.All(v) {
		if i := index(block, name); i >= 0 {
			places = append(places, place{id, block[i].Value})
		}
	}
	if len(places) == 0 {
		return "-", fmt.Sprintf("nobody has a stat %q yet; - is shown until somebody has", quote.Clip(name))
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.value, a.value) })
	lines := make([]string, min(most, len(places)))
	for i := range lines {
		lines[i] = fmt.Sprintf("%d. %s %s", i+1, s.called(v, places[i].id), number(places[i].value))
	}
	return strings.Join(lines, "\n"), ""
}

// ranked takes apart what a ranking is asked for by: a stat, and how many are shown.
func ranked(name string) (stat string, most int) {
	i := strings.LastIndexByte(name, ':')
	if i < 1 {
		return name, usualRanked
	}
	n, err := strconv.ParseUint(name[i+1:], 10, 16)
	if err != nil || n == 0 {
		return name, usualRanked
	}
	return name[:i], int(min(n, maxRanked))
}

// called is what an entity is called in a ranking: its name, else the agent whose body or character it is, else its id.
func (s *Stats) called(v *world.View, id world.ID) string {
	if name := v.Name(id); name != "" {
		return name
	}
	if agent, ok := s.deps.Agents.Agent(v, id); ok {
		return agent
	}
	if s.deps.Owner != nil {
		if owner, ok := s.deps.Owner(v, id); ok {
			return owner
		}
	}
	return id.String()
}

// number is how texts show a value.
func number(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64) }
