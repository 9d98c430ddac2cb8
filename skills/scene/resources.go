package scene

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/numbered"
	"github.com/limina-mcp/limina/world"
)

// What a read shows at most; there is more by way of skills that give pages.
const (
	maxEntityBytes = 64 << 10
	maxChildren    = 100
	maxTags        = 100
	sampleSize     = 16
)

// SummaryURI is the URI of the resource that sums the world up.
const SummaryURI = "limina://world/summary"

// Resources returns what can be read of w: entities and a summary.
func Resources(w *world.World) []registry.Resource {
	t := newWatch(w)
	return []registry.Resource{entityResource(w, t), summaryResource(w, t)}
}

// entityResource is limina://entity/{id}.
func entityResource(w *world.World, t *watch) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: "limina://entity/{id}", Name: "entity", Title: "An entity",
		Description: "One entity of the world, such as limina://entity/ent_7: where it is in world space, its parent and children, its shape, material, tags and all else it has. " +
			"Subscribe to be told when it changes or is destroyed.",
		MIMEType:    jsonType,
		Permissions: []profiles.Permission{"scene.read"},
		Read: func(c *registry.Call, at registry.Place) ([]registry.Contents, error) {
			id, err := entityAt(at)
			if err != nil {
				return nil, err
			}
			return world.Read(w, c, func(v *world.View) ([]registry.Contents, error) {
				text, err := entityText(v, id)
				return []registry.Contents{{URI: at.URI, MIMEType: jsonType, Text: string(text)}}, err
			})
		},
		Complete: func(_ context.Context, p registry.Partial) (s registry.Suggestions, err error) {
			w.View(func(v *world.View) {
				s = numbered.IDs{Prefix: "ent_", End: v.NextID().Number(), Has: func(n uint64) bool { return v.Exists(world.ID(n + 1)) }}.Complete(p.Value)
			})
			return s, nil
		},
		Watch: func(at registry.Place, changed func()) (func(), error) {
			id, err := entityAt(at)
			if err != nil {
				return nil, err
			}
			return t.entity(id, changed), nil
		},
	})
}

const jsonType = "application/json"

// entityAt returns the id in the URI.
func entityAt(at registry.Place) (world.ID, error) {
	id, err := world.ParseID(at.Var("id"))
	if err != nil {
		return 0, registry.Errorf(registry.CodeNotFound, "%v", err)
	}
	return id, nil
}

// entityText is an entity as viewers get it, with its children.
func entityText(v *world.View, id world.ID) ([]byte, error) {
	text := v.World().AppendEntity(nil, v, id)
	if len(text) == 0 {
		return nil, registry.Errorf(registry.CodeNotFound, "there is no entity %v%s", id, newestEntity(v))
	}
	if len(text) > maxEntityBytes {
		return json.Marshal(tooLong{id, len(text), "too long to show here: skills_call " + pageOf(id) + " shows what matters"})
	}
	children := v.Children(id)
	if len(children) == 0 {
		return text, nil
	}
	list, err := json.Marshal(children[:min(len(children), maxChildren)])
	if err != nil {
		return nil, err
	}
	text = append(append(text[:len(text)-1], `,"children":`...), list...)
	if len(children) > maxChildren {
		text = strconv.AppendInt(append(text, `,"childrenTotal":`...), int64(len(children)), 10)
	}
	return append(text, '}'), nil
}

// newestEntity says which ids there may be, for a message.
func newestEntity(v *world.View) string {
	if v.Len() == 0 {
		return ": the world is empty"
	}
	return fmt.Sprintf(": there are %d, the next to be made is %v", v.Len(), v.NextID())
}

// tooLong stands for an entity that has more than is shown.
type tooLong struct {
	ID    world.ID `json:"id"`
	Bytes int      `json:"bytes"`
	Note  string   `json:"note"`
}

// pageOf is the input of skills.call that shows an entity as a page of its own.
func pageOf(id world.ID) string {
	if id == 1 {
		return `{"name":"inspector.snapshot","input":{"limit":1}}`
	}
	return fmt.Sprintf(`{"name":"inspector.snapshot","input":{"afterEntity":%q,"limit":1}}`, (id - 1).String())
}

// Summary is what limina://world/summary holds.
type Summary struct {
	Tick        uint64          `json:"tick"`
	Step        uint64          `json:"step"`
	StepRate    int             `json:"stepRate"`
	EntityCount int             `json:"entityCount"`
	Bounds      *Bounds         `json:"bounds"`
	Center      *world.Vec3     `json:"center"`
	Size        *world.Vec3     `json:"size"`
	TagCounts   map[string]int  `json:"tagCounts"`
	MoreTags    int             `json:"moreTags,omitempty"` // that are not in TagCounts, because they are the rarest
	Sample      []Sampled       `json:"sample"`
	Environment json.RawMessage `json:"environment"` // time, weather and so on, as viewers get them
}

// Summarise sums a world up in a few kilobytes, however large it is.
func Summarise(v *world.View) Summary {
	in := InspectIn{SampleSize: sampleSize}
	seen := in.inspect(v.World(), v)
	s := Summary{
		Tick: v.Tick(), Step: v.Step(), StepRate: v.World().StepRate(),
		EntityCount: seen.EntityCount, Bounds: seen.Bounds, Center: seen.Center, Size: seen.Size, TagCounts: seen.TagCounts, Sample: seen.Sample,
		Environment: Environment(v),
	}
	if s.Sample == nil {
		s.Sample = []Sampled{}
	}
	if len(s.TagCounts) > maxTags {
		s.MoreTags = len(s.TagCounts) - maxTags
		s.TagCounts = commonest(s.TagCounts, maxTags)
	}
	return s
}

// commonest returns the n tags that most entities have.
func commonest(counts map[string]int, n int) map[string]int {
	tags := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	kept := make(map[string]int, n)
	for _, tag := range tags[:n] {
		kept[tag] = counts[tag]
	}
	return kept
}

// Environment returns what belongs to no entity and is not long, by the names that viewers know it by: the time, the weather, the light, what
// render.enablePost does to pictures. What this world has not declared, or what nobody has set, is left out.
func Environment(v *world.View) json.RawMessage {
	text := []byte{'{'}
	for _, name := range []string{"time", "weather", "timeScale", "spawn", "lighting", "world.sky", "world.gravity", "render.post"} {
		n := len(text)
		if n > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, '"'), name...), `":`...)
		value := len(text)
		if text = v.World().AppendShared(text, v, name); len(text) == value || string(text[value:]) == "null" { // nobody has declared it, or set it
			text = text[:n]
		}
	}
	return append(text, '}')
}

// summaryResource is limina://world/summary.
func summaryResource(w *world.World, t *watch) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: SummaryURI, Name: "summary", Title: "The world in short",
		Description: "The whole world in a few kilobytes: how many entities, the box around them, which tags, a sample, the time and the weather. " +
			"To list entities call scene.queryEntities. Subscribe to be told when something changes.",
		MIMEType:    jsonType,
		Permissions: []profiles.Permission{"scene.read"},
		Read: func(c *registry.Call, at registry.Place) ([]registry.Contents, error) {
			s, err := world.Read(w, c, func(v *world.View) (Summary, error) { return Summarise(v), nil })
			if err != nil {
				return nil, err
			}
			text, err := json.Marshal(s)
			return []registry.Contents{{URI: at.URI, MIMEType: jsonType, Text: string(text)}}, err
		},
		Watch: func(_ registry.Place, changed func()) (func(), error) { return t.world(changed), nil },
	})
}
