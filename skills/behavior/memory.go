package behavior

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Memory is something that an entity knows.
type Memory struct {
	Key    string       `json:"key" jsonschema_description:"What it is about."`
	Value  action.Value `json:"value" jsonschema_description:"What it knows of it."`
	Tick   uint64       `json:"tick" jsonschema_description:"The simulation step in which it was memorized; 60 are a second."`
	Source string       `json:"source,omitempty" jsonschema_description:"From whom or what it knows."`
}

// size is how many bytes a memory has.
func (f *Memory) size() int { return len(f.Key) + len(f.Value) + len(f.Source) }

// MemorizeIn is the input of npc.memorize.
type MemorizeIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Who is to know it, such as ent_7: what is nobody else's, or yourself."`
	Key    string          `json:"key" validate:"min=1,max=128" jsonschema_description:"What it is about: what was known of it before is forgotten."`
	Value  action.Value    `json:"value" jsonschema_description:"What is known of it; a list in an object."`
	Source string          `json:"source,omitempty" validate:"omitempty,max=128" jsonschema_description:"From whom or what."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Memorize is npc.memorize.
func Memorize(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[MemorizeIn, OKOut]{
		Name:  "npc.memorize",
		Title: "Have a character remember something",
		Description: "Have an entity know a fact, for npc.recall: whom it has met, what it was told. It keeps 64 of them, 8 KiB in all, and forgets the oldest where there is no room. What the whole game is to know is game.state. " +
			`Example: {"entity":"ent_7","key":"stranger","value":"stole a loaf of bread","source":"ent_3"}`,
		Keywords:    "memory remember fact knowledge store note npc learn",
		Permissions: []profiles.Permission{"behavior.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in MemorizeIn) (OKOut, error) {
			var b bytes.Buffer
			if err := json.Compact(&b, in.Value); err != nil {
				return OKOut{}, err
			}
			if err := config.Fits("value", b.Len(), MaxMemory); err != nil {
				return OKOut{}, err
			}
			return world.Do(m.World, c, func(tx *world.Tx) (OKOut, error) {
				if err := m.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return OKOut{}, err
				}
				return OKOut{OK: true}, m.memorize(tx, in.Entity, Memory{in.Key, b.Bytes(), tx.Step(), in.Source})
			})
		},
	})
}

// memorize adds what an entity knows, in place of what it knew of the same, and has it forget the oldest where there is no room.
func (m *Minds) memorize(tx *world.Tx, id world.ID, f Memory) error {
	list, has := m.memories.Get(&tx.View, id)
	if !has && m.memories.Len(&tx.View) >= MaxMinds {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities remember something, which is the most: destroy some", MaxMinds)
	}
	list = slices.DeleteFunc(slices.Clone(list), func(o Memory) bool { return o.Key == f.Key })
	list = append(list, f)
	bytes := 0
	for i := range list {
		bytes += list[i].size()
	}
	for len(list) > MaxMemories || bytes > MaxRecalled {
		bytes -= list[0].size()
		list = list[1:]
	}
	return m.memories.Set(tx, id, list)
}

// RecallIn is the input of npc.recall.
type RecallIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Who remembers, such as ent_7: what is nobody else's, or yourself."`
	Key    string          `json:"key,omitempty" validate:"omitempty,max=128" jsonschema_description:"What about; left out: all."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// RecallOut is the output of npc.recall.
type RecallOut struct {
	Memories []Memory `json:"memories" jsonschema_description:"What it knows, the oldest first."`
	Note     string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Recall is npc.recall.
func Recall(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[RecallIn, RecallOut]{
		Name:  "npc.recall",
		Title: "What a character remembers",
		Description: "Say what an entity knows by npc.memorize, of one thing or all. " +
			`Example: {"entity":"ent_7","key":"stranger"}`,
		Keywords:    "memory remember facts knowledge read npc know",
		Permissions: []profiles.Permission{"behavior.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RecallIn) (RecallOut, error) {
			return world.Read(m.World, c, func(v *world.View) (RecallOut, error) {
				if err := m.may(v, c.Principal(), in.Entity); err != nil {
					return RecallOut{}, err
				}
				return m.recall(v, in.Entity, in.Key), nil
			})
		},
	})
}

// recall returns what an entity knows of something, "" for all.
func (m *Minds) recall(v *world.View, id world.ID, key string) RecallOut {
	list, _ := m.memories.Get(v, id)
	out := RecallOut{Memories: []Memory{}}
	var keys []string
	for _, f := range list {
		if key == "" || f.Key == key {
			out.Memories = append(out.Memories, f)
		}
		keys = append(keys, f.Key)
	}
	if near := wire.Nearest(key, keys); key != "" && len(out.Memories) == 0 && near != "" {
		out.Note = `it knows nothing of that; did you mean "` + quote.Clip(near) + `"?`
	}
	return out
}
