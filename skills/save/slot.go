package save

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/world"
)

// SlotIn is the input of save.slot.
type SlotIn struct {
	Action   string          `json:"action" validate:"oneof=create load delete list" jsonschema:"default=list" jsonschema_description:"create: save the world in a slot, or put data there. load: get a slot as a text; to make the world that, give the text to save.import. delete: empty a slot. list: see them all."`
	Name     string          `json:"name,omitempty" validate:"max=128" jsonschema_description:"The slot; required, but for list."`
	Data     string          `json:"data,omitempty" jsonschema_description:"For create: the text of a save to put there, instead of the world as it is."`
	File     *files.Name     `json:"file,omitempty" jsonschema_description:"For load: name of a file on the server to write the text to, such as evening.save, instead of sending it. A file of this name is replaced. Only where the operator has given a folder."`
	Metadata registry.Object `json:"metadata,omitempty" jsonschema_description:"For create: anything that the list of slots shall show."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// SlotOut is the output of save.slot.
type SlotOut struct {
	OK    bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Slots []Slot `json:"slots" jsonschema_description:"All slots there are now, by name."`
	Data  string `json:"data,omitempty" jsonschema_description:"Of load: the save as a text."`

	File *files.Name `json:"file,omitempty" jsonschema_description:"Of load: the file that it was written to."`
}

// Slot describes a slot.
type Slot struct {
	Name        string          `json:"name" jsonschema_description:"What to find it by."`
	GameTick    uint64          `json:"gameTick" jsonschema_description:"The revision of the world that it holds."`
	EntityCount int             `json:"entityCount" jsonschema_description:"How many entities it holds."`
	Metadata    registry.Object `json:"metadata,omitempty" jsonschema_description:"What was given with it."`
}

func (s *Saves) manage() registry.Skill {
	return registry.Define(registry.Spec[SlotIn, SlotOut]{
		Name:  "save.slot",
		Title: "Keep saves",
		Description: "List, fill, read and empty the slots that saves are kept in on the server. Slots last as long as the world: to have a save after that, keep the text that action load gives, or have it written to a file. " +
			`Example: {"action":"load","name":"evening"}`,
		Keywords:    "save game slots saved list progress",
		Permissions: []profiles.Permission{"save.write"},
		Effect:      registry.Destroys,
		Slow:        true,
		Handle: func(c *registry.Call, in SlotIn) (SlotOut, error) {
			switch {
			case in.Name == "" && in.Action != "list":
				return SlotOut{}, registry.Failf("name: action %s needs the name of a slot", in.Action)
			case in.Data != "" && in.Action != "create":
				return SlotOut{}, registry.Failf("data: only action create takes it; to make the world what a save holds use save.import")
			case in.File != nil && in.Action != "load":
				return SlotOut{}, registry.Failf("file: only action load writes one; to make the world what a file holds use save.import")
			}
			if in.File != nil {
				if err := c.Outward("file"); err != nil {
					return SlotOut{}, err
				}
			}
			switch in.Action {
			case "create":
				return s.fill(c, &in)
			case "load":
				return s.text(c, &in)
			case "delete":
				return world.Do(s.w, c, func(tx *world.Tx) (SlotOut, error) {
					if _, err := s.slots.Find(&tx.View, in.Name); err != nil {
						return SlotOut{}, err
					}
					s.slots.Delete(tx, in.Name)
					return s.list(&tx.View), nil
				})
			}
			return world.Read(s.w, c, func(v *world.View) (SlotOut, error) { return s.list(v), nil })
		},
	})
}

// fill puts the world, or the save that is given, in a slot.
func (s *Saves) fill(c *registry.Call, in *SlotIn) (SlotOut, error) {
	var given *slot
	if in.Data != "" {
		f, err := s.read(c, in.Data)
		if err != nil {
			return SlotOut{}, err
		}
		given = &f.slot
		if in.Metadata != nil {
			given.Metadata = []byte(in.Metadata)
		}
	}
	return world.Do(s.w, c, func(tx *world.Tx) (SlotOut, error) {
		row := given
		if row == nil {
			now := s.now(tx, nil, in.Metadata)
			row = &now
		}
		if _, err := s.slots.Put(tx, in.Name, *row); err != nil {
			return SlotOut{}, err
		}
		return s.list(&tx.View), nil
	})
}

// text returns a slot as a text, or writes it to a file.
func (s *Saves) text(c *registry.Call, in *SlotIn) (SlotOut, error) {
	var row slot
	out, err := world.Read(s.w, c, func(v *world.View) (out SlotOut, err error) {
		row, err = s.slots.Find(v, in.Name)
		return s.list(v), err
	})
	if err != nil {
		return SlotOut{}, err
	}
	done, err := s.turns.Take(c)
	if err != nil {
		return SlotOut{}, err
	}
	defer done()
	text, err := s.seal(in.Name, row)
	switch {
	case err != nil:
		return SlotOut{}, err
	case in.File == nil:
		out.Data = text
		return out, nil
	}
	out.File = in.File
	return out, s.files.Write(files.Of(string(*in.File), []byte(text)))
}

func (s *Saves) list(v *world.View) SlotOut {
	out := SlotOut{OK: true, Slots: []Slot{}}
	for name, row := range s.slots.All(v) {
		out.Slots = append(out.Slots, Slot{name, row.Tick, row.Entities, registry.Object(row.Metadata)})
	}
	return out
}
