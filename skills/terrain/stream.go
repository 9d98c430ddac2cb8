package terrain

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// StreamFollowIn is the input of world.streamFollow.
type StreamFollowIn struct {
	RegionID world.ID   `json:"regionId" jsonschema_description:"The region, as world.generateRegion has named it."`
	Anchor   world.Vec3 `json:"anchor" jsonschema_description:"Whoever is followed: x, y, z in metres."`
	Radius   int        `json:"radius" validate:"gte=0,lte=8" jsonschema:"default=1" jsonschema_description:"How many tiles to each side of that of the anchor."`
}

// StreamFollowOut is the output of world.streamFollow.
type StreamFollowOut struct {
	RegionID world.ID `json:"regionId" jsonschema_description:"The region."`
	Loaded   []string `json:"loaded" jsonschema_description:"Tiles that have come: tx,tz."`
	Removed  []string `json:"removed" jsonschema_description:"Tiles that have gone."`
	Blocked  []string `json:"blocked" jsonschema_description:"Tiles that have not come, because other ground is there or the land ends."`
	Active   int      `json:"active" jsonschema_description:"How many tiles the region has now."`
}

// StreamFollow is world.streamFollow.
func StreamFollow(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[StreamFollowIn, StreamFollowOut]{
		Name:  "world.streamFollow",
		Title: "Load the ground around somebody",
		Description: "Have a region consist of the tiles around a place: those that are missing are generated, those farther away taken away. Lands have no end, so it goes beyond the bounds that the region was made with. " +
			`What stands on tiles that go stays where it is; they are the same when they come back. Example: {"regionId":"ent_3","anchor":[130,0,-20],"radius":2}`,
		Permissions: []profiles.Permission{"terrain.generate"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in StreamFollowIn) (StreamFollowOut, error) {
			return world.Do(l.w, c, func(tx *world.Tx) (StreamFollowOut, error) { return l.follow(tx, &in) })
		},
	})
}

func (l *Lands) follow(tx *world.Tx, in *StreamFollowIn) (StreamFollowOut, error) {
	out := StreamFollowOut{RegionID: in.RegionID, Loaded: []string{}, Removed: []string{}, Blocked: []string{}}
	r, err := l.region(&tx.View, in.RegionID)
	if err != nil {
		return out, err
	}
	at, _ := tx.WorldTransform(in.RegionID)
	here := world.Identity()
	here.Position = in.Anchor
	here = at.Relative(here)
	tx0, tz0 := land.TileAt(here.Position[0], here.Position[2])
	near := func(tile [2]int) bool {
		return math.Abs(float64(tile[0]-tx0)) <= float64(in.Radius) && math.Abs(float64(tile[1]-tz0)) <= float64(in.Radius)
	}
	there := map[[2]int]bool{}
	for _, t := range l.tiles(&tx.View, in.RegionID) {
		if near(t.ground.Tile) {
			there[t.ground.Tile] = true
			continue
		}
		tx.Destroy(t.id)
		out.Removed = append(out.Removed, keyOf(t.ground.Tile))
	}
	taken := l.taken(&tx.View)
	around := Tiles{tx0 - in.Radius, tz0 - in.Radius, tx0 + in.Radius, tz0 + in.Radius}
	for _, tile := range around.all() {
		if there[tile] {
			continue
		}
		_, other := taken[r.spot(at, tile)]
		if other || max(tile[0], -tile[0], tile[1], -tile[1]) > land.MaxTile {
			out.Blocked = append(out.Blocked, keyOf(tile))
			continue
		}
		if _, err := l.load(tx, in.RegionID, &r, tile); err != nil {
			return out, err
		}
		out.Loaded = append(out.Loaded, keyOf(tile))
	}
	out.Active = len(there) + len(out.Loaded)
	return out, nil
}
