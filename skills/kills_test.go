package skills_test

import (
	"encoding/json"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/stats"
)

// value is a stat of an entity.
func value(t *testing.T, r *skilltest.Room, entity, stat string) float64 {
	t.Helper()
	var out stats.GetOut
	if err := json.Unmarshal([]byte(r.Do("stats.get", `{"entity":%q,"statName":%q}`, entity, stat)), &out); err != nil {
		t.Fatal(err)
	}
	return *out.Value
}

// TestPointsForAHit runs the example of docs/games.md: who shoots the target has a point, and nobody has one who did not.
func TestPointsForAHit(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Points for a hit", func(skill, _ string) {
		if skill == "player.spawn" {
			r.Steps(3) // the listener gives it its score
		}
	})
	r.Steps(3)
	if got := value(t, r, "ent_1", "score"); got != 1 {
		t.Errorf("who has hit has %v points; told %q", got, r.Heard())
	}
	if got := value(t, r, "ent_0", "hp"); got != 10 {
		t.Errorf("the target has %v left", got)
	}
	// Who listens to what is emitted at zero knows who it was, too; and whoever falls by nobody's doing is his own actor.
	r.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":5},{"name":"falls","value":0}]}`)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"falls","value":0}]}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"emit","target":"down"}}`)
	r.Do("stats.onZero", `{"entity":"ent_1","statName":"hp","action":{"type":"emit","target":"down"}}`)
	r.Do("event.listen", `{"eventName":"down","action":{"type":"call","if":"stat(\"falls\") < 10","target":"stats.modify","data":{"entity":"$actor","statName":"falls","delta":1}}}`)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":99,"attackerEntity":"ent_1"}`)
	r.Steps(4)
	if got := value(t, r, "ent_1", "falls"); got != 1 {
		t.Errorf("of who has struck %v falls are told", got)
	}
	r.Do("damage.apply", `{"targetEntity":"ent_1","amount":99}`)
	r.Steps(4)
	if got := value(t, r, "ent_1", "falls"); got != 2 {
		t.Errorf("of who fell by nobody's doing %v falls are told", got)
	}
	if got := value(t, r, "ent_0", "falls"); got != 0 {
		t.Errorf("of who has struck nobody %v falls are told", got)
	}
}

// TestPoisonIsSomebodysDoing has what dies of poison count for who gave it, as long as he is there, and events of its ticks be his doing.
func TestPoisonIsSomebodysDoing(t *testing.T) {
	for _, tt := range []struct {
		name, effect   string
		kills, taints  float64 // of who has given it
		gone           bool
		killsOfTheDead float64
	}{
		{"his", `"attackerEntity":"ent_1",`, 1, 2, false, 0},
		{"nobody's", ``, 0, 0, false, 1},
		{"his who is gone", `"attackerEntity":"ent_1",`, 0, 0, true, 1},
	} {
		r := room(t)
		for range 3 {
			r.Do("scene.createEntity", `{"position":[0,1,0]}`) // ent_0 is poisoned by ent_1; ent_2 has nothing to do with it
		}
		for _, id := range []string{"ent_0", "ent_1", "ent_2"} {
			r.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":3},{"name":"kills","value":0},{"name":"taints","value":0}]}`, id)
		}
		r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"call","target":"stats.modify","data":{"entity":"$actor","statName":"kills","delta":1}}}`)
		r.Do("event.listen", `{"eventName":"tainted","action":{"type":"call","target":"stats.modify","data":{"entity":"$actor","statName":"taints","delta":1}}}`)
		r.Do("status.apply", "%s", `{"targetEntity":"ent_0","type":"poison","duration":2.5,"magnitude":2,`+tt.effect+`"onTick":"tainted"}`)
		if tt.gone {
			r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
		}
		r.Steps(200)
		if got := value(t, r, "ent_0", "hp"); got != 0 {
			t.Errorf("%s: who is poisoned has %v left", tt.name, got)
		}
		if got := value(t, r, "ent_0", "kills"); got != tt.killsOfTheDead {
			t.Errorf("%s: who is dead has %v kills", tt.name, got)
		}
		if tt.gone {
			continue
		}
		if kills, taints := value(t, r, "ent_1", "kills"), value(t, r, "ent_1", "taints"); kills != tt.kills || taints != tt.taints {
			t.Errorf("%s: who gave it has %v kills and %v ticks, want %v and %v", tt.name, kills, taints, tt.kills, tt.taints)
		}
	}
}

// TestTheLastBlowIsKept has a blow struck between two steps, and the world kept in between.
func TestTheLastBlowIsKept(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Points for a hit", func(skill, _ string) {
		if skill == "player.spawn" {
			r.Steps(3)
		}
	})
	r.Do("checkpoint.create", `{"name":"struck"}`)
	r.Steps(3)
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Do("checkpoint.load", `{"name":"struck"}`)
	r.Steps(3)
	if got := value(t, r, "ent_1", "score"); got != 1 {
		t.Errorf("who has hit has %v points", got)
	}
}
