package claims

import (
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// ClaimIn is the input of world.claim.
type ClaimIn struct {
	Min     world.Vec3 `json:"min" jsonschema_description:"The lowest corner x, y, z in metres."`
	Max     world.Vec3 `json:"max" jsonschema_description:"The highest corner; at most 200 m from min along each axis."`
	Seconds float64    `json:"seconds" validate:"gte=1,lte=3600" jsonschema:"default=300" jsonschema_description:"How long you need it."`
	Reason  string     `json:"reason,omitempty" validate:"omitempty,max=200" jsonschema_description:"What for; others are told."`
}

// Region is a region that somebody holds.
type Region struct {
	Claim   string     `json:"claim" jsonschema_description:"Its id, for world.release."`
	Holder  string     `json:"holder" jsonschema_description:"Who holds it."`
	Min     world.Vec3 `json:"min" jsonschema_description:"Its lowest corner x, y, z in metres."`
	Max     world.Vec3 `json:"max" jsonschema_description:"Its highest corner."`
	Seconds float64    `json:"seconds" jsonschema_description:"For how long still."`
	Reason  string     `json:"reason,omitempty" jsonschema_description:"What for, if that was said."`
}

func region(v *world.View, id string, c world.Claim) Region {
	return Region{Claim: id, Holder: c.Holder, Min: c.Lo, Max: c.Hi, Seconds: v.ClaimLeft(&c), Reason: c.Reason}
}

// Claim is world.claim.
func Claim(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[ClaimIn, Region]{
		Name:  "world.claim",
		Title: "Claim a region",
		Description: "Keep a region for yourself while you build there: until the time is up or you call world.release, others cannot create, move, change or destroy anything that is in it or reaches into it, such as the ground. " +
			"Refused if it meets somebody else's, whom world.claims names. " +
			`Example: {"min":[-5,-1,-5],"max":[5,20,5],"seconds":120,"reason":"the tower"}`,
		Category:    "world",
		Keywords:    "reserve lock own protect forbid prevent touch private",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ClaimIn) (Region, error) {
			return world.Do(w, c, func(tx *world.Tx) (Region, error) {
				if agent := c.Principal().ID; tx.Holder(agent) != agent { // else each name of a token has as many as one agent
					if err := share.RoomIn(&tx.View, &claimed, tx.Claims(), agent, func(c *world.Claim) string { return c.Holder }); err != nil {
						return Region{}, err
					}
				}
				id, made, err := tx.Claim(world.Claim{Lo: in.Min, Hi: in.Max, Reason: in.Reason}, w.StepsIn(in.Seconds))
				return region(&tx.View, id, made), err
			})
		},
	})
}

// claimed are all claims, of which the agents of one token have a share: those under names that the token is for.
var claimed = share.Kept{Most: world.MaxClaims, What: "claims", Free: "world.release gives one of yours back, or of others under names of your token"}

// ReleaseIn is the input of world.release.
type ReleaseIn struct {
	Claim string `json:"claim,omitempty" validate:"omitempty,max=64" jsonschema_description:"The id that world.claim gave, and world.claims lists; it may be left out by who holds one only."`
}

// ReleaseOut is the output of world.release.
type ReleaseOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Release is world.release.
func Release(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[ReleaseIn, ReleaseOut]{
		Name:        "world.release",
		Title:       "Release a region",
		Description: `Give back a region that you hold by world.claim, before its time is up. Example: {"claim":"claim_1"}`,
		Category:    "world",
		Keywords:    "unlock",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ReleaseIn) (ReleaseOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (ReleaseOut, error) {
				if in.Claim == "" {
					id, err := only(&tx.View, c.Principal().ID)
					if err != nil {
						return ReleaseOut{}, err
					}
					in.Claim = id
				}
				return ReleaseOut{OK: true}, tx.Release(in.Claim)
			})
		},
	})
}

// only returns the one claim that somebody holds.
func only(v *world.View, holder string) (string, error) {
	var own []string
	for id, claim := range v.Claims() {
		if claim.Holder == holder {
			own = append(own, id)
		}
	}
	switch len(own) {
	case 0:
		return "", registry.Failf("you hold no claim; world.claims lists those of all")
	case 1:
		return own[0], nil
	}
	return "", registry.Invalidf("claim: is required: you hold %s", strings.Join(own, ", "))
}

// ListOut is the output of world.claims.
type ListOut struct {
	Claims []Region `json:"claims" jsonschema_description:"Every region that somebody holds."`
}

// List is world.claims.
func List(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[struct{}, ListOut]{
		Name:        "world.claims",
		Title:       "Who holds which region",
		Description: `List the regions that agents hold by world.claim, with who holds them and for how long still. Look here before you build near others. Example: {}`,
		Category:    "world",
		Keywords:    "who own reserved locked",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, _ struct{}) (ListOut, error) {
			return world.Read(w, c, func(v *world.View) (ListOut, error) {
				out := ListOut{Claims: []Region{}}
				for id, claim := range v.Claims() {
					out.Claims = append(out.Claims, region(v, id, claim))
				}
				return out, nil
			})
		},
	})
}
