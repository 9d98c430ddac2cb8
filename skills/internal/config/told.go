package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// maxNotes is how many notes there are at most about one object.
const maxNotes = 4

// Told says of the members of a free object that nobody here knows that they are only told to somebody, and what may be meant: another name, or, of a number, a stat. field
// says what the object is: "rewards".
func Told(field string, o registry.Object, to string, known ...string) (notes []string) {
	var members map[string]json.RawMessage
	if len(o) == 0 || json.Unmarshal(o, &members) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(known, name) {
			continue
		}
		if len(notes) == maxNotes {
			return append(notes, field+": more is only told to "+to)
		}
		said := quote.Clip(name)
		note := fmt.Sprintf("%s.%s is only told to %s", field, said, to)
		var by float64
		if near := wire.Nearest(name, known); near != "" {
			note += fmt.Sprintf("; did you mean %q?", near)
		} else if json.Unmarshal(members[name], &by) == nil && string(members[name]) != "null" {
			does := "gives"
			if strings.HasPrefix(string(members[name]), "-") {
				does = "takes"
			}
			note += fmt.Sprintf("; stats {%q:%s} %s it", said, members[name], does)
		}
		notes = append(notes, note)
	}
	return notes
}
