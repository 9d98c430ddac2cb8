package architecture_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// TestRebuild changes a house that somebody lives in.
func TestRebuild(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"position":[10,1,0],"rotation":0.5}`) // ent_8 is the group
	s.Must(t, p, "three.setMaterial", `{"entity":"ent_1","material":"brick"}`)
	s.Must(t, p, "scene.createEntity", `{"name":"chair"}`)
	s.Must(t, p, "scene.createEntity", `{"name":"picture"}`)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return errors.Join(tx.Reparent(10, 9), tx.Reparent(11, 6)) }); err != nil {
		t.Fatal(err)
	}
	before := s.World.Hash()
	same := s.Must(t, p, "architecture.rebuild", `{"building":"ent_8"}`)
	if s.World.Hash() != before {
		t.Errorf("the house is another one though nothing was to change: %s", same)
	}
	picture := s.At(t, "ent_10")
	out := s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","height":5,"doorHeight":5,"color":255,"windows":[{"wall":"back"}]}`)
	for _, want := range []string{`"kind":"leftWall","entity":"ent_1"`, `"kind":"backWallPier","entity":"ent_11"`, `"group":"ent_8"`} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s, want %s", out, want)
		}
	}
	for id, want := range map[string]string{
		"ent_1": `"name":"brick"`, "ent_2": `"color":255}`, "ent_9": `"parent":"ent_8"`, "ent_10": `"parent":"ent_8"`, "ent_8": `"pos":[10,1,0]`,
	} {
		if got := s.Entity(t, id); !strings.Contains(got, want) {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if at := s.At(t, "ent_10"); at.Dist(picture) > 1e-9 {
		t.Errorf("the picture on the lintel, which is gone, has come from %v to %v", picture, at)
	}
	for _, gone := range []string{"ent_0", "ent_5"} {
		if _, err := s.Call(p, "three.setTransform", fmt.Sprintf(`{"entity":%q,"position":[0,0,0]}`, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	// It is what one that is built so at once is.
	fresh := skilltest.New(t, skills)
	asNew := fresh.Must(t, p, "architecture.building", `{"position":[10,1,0],"rotation":0.5,"height":5,"doorHeight":5,"color":255,"windows":[{"wall":"back"}]}`)
	var got, want architecture.BuildingOut
	if err := errors.Join(json.Unmarshal([]byte(out), &got), json.Unmarshal([]byte(asNew), &want)); err != nil {
		t.Fatal(err)
	}
	got.Entities, got.Group, got.Entity = want.Entities, want.Group, want.Entity
	for i := range min(len(got.Parts), len(want.Parts)) {
		got.Parts[i].Entity = want.Parts[i].Entity
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("built and rebuilt (-built +rebuilt):\n%s", diff)
	}
	skilltest.Run(t, skills, "architecture.rebuild", []skilltest.Case{
		{Name: "nothing there", Input: `{"building":"ent_5"}`, Err: "building: unknown entity ent_5; the world has none"},
		{Name: "a part", Setup: cottage, Input: `{"building":"ent_5"}`, Err: "building: ent_5 is in the house ent_8, which is what to give"},
		{Name: "no house", Setup: cottage, Input: `{"building":"ent_9"}`, Err: "building: ent_9 is no house: give the group of one that architecture.building has put up"},
		{Name: "what does not fit", Setup: cottage, Input: `{"building":"ent_8","doorWidth":7.8}`, Code: registry.CodeInvalidInput, Err: "doorWidth: must be at most 7.5, the width less both side walls, got 7.8"},
	})
	skilltest.Needs(t, skills, "architecture.rebuild", `{"building":"ent_0"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// TestRepaintedParts holds that a pane stays in its window when there are more, and that what is new on a wall looks as that does.
func TestRepaintedParts(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"roofStyle":"flat","windows":[{"wall":"back","at":-2},{"wall":"back","at":2}]}`)
	var pane, group string
	for i := range s.Len() {
		switch id := fmt.Sprintf("ent_%d", i); {
		case strings.Contains(s.Entity(t, id), `"name":"house"`):
			group = id
		case pane == "" && strings.Contains(s.Entity(t, id), `"name":"backWallPane"`):
			pane = id
		}
	}
	at := s.At(t, pane)
	s.Must(t, p, "three.setMaterial", `{"entity":"`+pane+`","material":"ice"}`)
	s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","windows":[{"wall":"back"},{"wall":"back","at":-2},{"wall":"back","at":2}]}`)
	if now := s.At(t, pane); now != at || !strings.Contains(s.Entity(t, pane), `"name":"ice"`) {
		t.Errorf("the pane of ice is %s now, and was at %v", s.Entity(t, pane), at)
	}

	s = skilltest.New(t, skills)
	s.Must(t, p, "architecture.building", `{}`)
	s.Must(t, p, "three.setMaterial", `{"entity":"ent_0","material":"brick"}`)
	out := s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","gableEnds":true,"windows":[{"wall":"back"}]}`)
	var house architecture.BuildingOut
	if err := json.Unmarshal([]byte(out), &house); err != nil {
		t.Fatal(err)
	}
	for _, part := range house.Parts {
		of := strings.HasPrefix(part.Kind, "backWall") && part.Kind != "backWallPane" || strings.HasPrefix(part.Kind, "gableBack")
		if got := s.Entity(t, part.Entity.String()); strings.Contains(got, `"brick"`) != of {
			t.Errorf("of brick is all of the back wall but its pane, and its gable; got %s", got)
		}
	}
}

// TestRebuildCopy changes a copy of a house that is twice as large: its parts are told of as they stand.
func TestRebuildCopy(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"withRoof":false}`) // ent_6
	before := s.Entity(t, "ent_0")
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		_, err := tx.Clone(7, world.Spec{Position: world.Vec3{30, 0, 0}, Scale: world.Vec3{2, 2, 2}}) // ent_7, its parts from ent_8
		return err
	}); err != nil {
		t.Fatal(err)
	}
	out := s.Must(t, p, "architecture.rebuild", `{"building":"ent_7","height":4}`)
	const want = `{"kind":"backWall","entity":"ent_8","position":[30,4,-5.75],"size":[16,8,0.5]}`
	if !strings.Contains(out, want) || !strings.Contains(out, `"bounds":{"min":[22,0,-6],"max":[38,8,6]}`) {
		t.Errorf("got %s, want %s", out, want)
	}
	if s.Entity(t, "ent_0") != before {
		t.Errorf("the original is %s, was %s", s.Entity(t, "ent_0"), before)
	}
}

func cottage(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "architecture.building", `{}`)
	s.Must(t, p, "scene.createEntity", `{}`)
}

// TestRebuildFull changes a house in a world that has no room for a part more: those that go make room.
func TestRebuildFull(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"withRoof":true}`)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for tx.Len() < 1000 {
			if _, err := tx.Create(world.Spec{}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","roofStyle":"flat"}`)
	if s.Len() != 999 {
		t.Errorf("there are %d entities, want one less", s.Len())
	}
	if _, err := s.Call(p, "architecture.rebuild", `{"building":"ent_8","gableEnds":true,"roofStyle":"gable"}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("what has no room: %v", err)
	}
}

// A hip roof slopes to all four sides, lies on the walls, is painted and rebuilt as other parts are, and turns with its house.
func TestHipRoof(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	out := s.Must(t, p, "architecture.building", `{"width":8,"depth":6,"height":3,"roofStyle":"hip","roofPitch":2,"roofOverhang":0.5,"rotation":1.5707963267948966}`)
	var built architecture.BuildingOut
	if err := json.Unmarshal([]byte(out), &built); err != nil {
		t.Fatal(err)
	}
	roof := built.Parts[len(built.Parts)-1]
	if roof.Kind != "roofHip" || roof.Size.Dist(world.Vec3{9, 2, 7}) > 1e-6 || roof.Position.Dist(world.Vec3{0, 4, 0}) > 1e-6 {
		t.Fatalf("the roof: %+v", roof)
	}
	look := func() (room solid.Solid, of string) {
		s.World.View(func(v *world.View) {
			room, _ = solid.Of(s.World, v, roof.Entity)
			surface, _ := s.World.Materials.Get(v, roof.Entity)
			of = surface.Name
		})
		return room, of
	}
	height := func(x, z float64) float64 {
		room, _ := look()
		_, high, _ := room.Column(x, z)
		return high
	}
	for at, want := range map[[2]float64]float64{{0, 0}: 5, {0, 0.9}: 5, {1.75, 0}: 4, {-1.75, 0}: 4, {0, 2.75}: 4, {0, -2.75}: 4} {
		if got := height(at[0], at[1]); math.Abs(got-want) > 1e-4 {
			t.Errorf("at %v the roof is %v high, want %v", at, got, want)
		}
	}
	s.Must(t, p, "three.setMaterial", fmt.Sprintf(`{"entity":%q,"material":"tile"}`, roof.Entity.String()))
	rebuild := fmt.Sprintf(`{"building":%q,"roofPitch":3}`, built.Group.String())
	s.Must(t, p, "architecture.rebuild", rebuild)
	if _, of := look(); of != "tile" || math.Abs(height(0, 0)-6) > 1e-4 {
		t.Errorf("rebuilt the roof is %v high, of %q", height(0, 0), of)
	}
	if room, _ := look(); room.Bounds().Hi.Dist(built.Bounds.Max.Add(world.Vec3{0, 1, 0})) > 1e-4 {
		t.Errorf("rebuilt the roof reaches to %v, and the house reached to %v before", room.Bounds().Hi, built.Bounds.Max)
	}
	s.Must(t, p, "architecture.rebuild", fmt.Sprintf(`{"building":%q,"roofStyle":"flat"}`, built.Group.String()))
	s.World.View(func(v *world.View) {
		if v.Exists(roof.Entity) {
			t.Error("the hip roof is there beside the flat one")
		}
	})
}
