package batch_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestBrief has the answer of a long batch be short: the first results, with the first entries of their lists, what else failed, and how much is left out.
// Later operations have all of what is not listed, and who wants everything gets it.
func TestBrief(t *testing.T) {
	s, p := skilltest.New(t, builders), skilltest.Caller(t, "ann", skilltest.Builder)
	var ops []string
	ops = append(ops, `{"skill":"scene.createEntity","input":{},"as":"one"}`,
		`{"skill":"scene.array","input":{"entity":"$one.entity","pattern":"line","count":81,"step":[2,0,0]},"as":"row"}`,
		`{"skill":"scene.group","input":{"entities":["$row.entities.*"]},"as":"all"}`)
	for range 97 {
		ops = append(ops, `{"skill":"scene.createEntity","input":{}}`)
	}
	ops[4] = `{"skill":"scene.queryEntities","input":{}}`
	ops[60] = `{"skill":"scene.createEntity","input":{},"as":"late"}`
	ops[90] = `{"skill":"three.setTransform","input":{"entity":"ent_999","position":[0,0,0]}}`
	run := func(list string) (out batch.Out, size int) {
		t.Helper()
		text := s.Must(t, p, "world.batch", fmt.Sprintf(`{"operations":[%s],"mode":"bestEffort"%s}`, strings.Join(ops, ","), list))
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out, len(text)
	}
	for _, tt := range []struct {
		list                        string
		results, more, ids, leftOut int
	}{{"", 50, 48, 50, 30}, {`,"list":0`, 0, 95, 0, 0}, {`,"list":500`, 100, 0, 80, 0}} {
		out, size := run(tt.list)
		if len(out.Results) != tt.results || out.More != tt.more || out.Applied != 99 || out.Failed != 1 {
			t.Errorf("%q: %d results, %d more, applied %d, failed %d", tt.list, len(out.Results), out.More, out.Applied, out.Failed)
		}
		if n := len(out.Noted); tt.results < 100 && (n < 2 || *out.Noted[n-2].Operation != 60 || out.Noted[n-2].As != "late" || *out.Noted[n-1].Operation != 90 || out.Noted[n-1].Error == nil) {
			t.Errorf("%q notes %+v", tt.list, out.Noted)
		}
		if tt.list == "" && (out.Results[4].More != nil || !strings.Contains(string(out.Results[4].Result), `"ent_82"`)) {
			t.Errorf("what was asked for is cut: %s", out.Results[4].Result)
		}
		if tt.results == 0 {
			if size > 800 {
				t.Errorf("%q: %d bytes", tt.list, size)
			}
			continue
		}
		row := out.Results[1]
		var array struct {
			Entities []world.ID
			Count    int
		}
		if err := json.Unmarshal(row.Result, &array); err != nil || len(array.Entities) != tt.ids || array.Count != 80 || row.More["entities"] != tt.leftOut {
			t.Errorf("%q: the row is %s, more %v, %v", tt.list, row.Result, row.More, err)
		}
		if row := string(out.Results[0].Result); !strings.HasPrefix(row, `{"entity":"ent_`) {
			t.Errorf("%q: the first is %s", tt.list, row)
		}
	}
	if out := s.Must(t, p, "scene.forEach", `{"below":"ent_81","skill":"three.setMaterial","input":{"color":255}}`); !strings.Contains(out, `"count":80`) || !strings.Contains(out, `"more":30`) {
		t.Errorf("all of the row are in the group: %s", out)
	}
}
