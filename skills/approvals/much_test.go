package approvals_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/approvals"
	"github.com/limina-mcp/limina/world"
)

// TestListOfAllThatCanBeHeld fills the queue with the longest names and inputs that it takes: the reviewer is still shown all of it.
func TestListOfAllThatCanBeHeld(t *testing.T) {
	g := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Gate: g, Tick: w.Tick})
	type writeIn struct {
		Text string `json:"text"`
	}
	write := registry.Define(registry.Spec[writeIn, struct{}]{
		Name: "site.write", Description: "Write.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(*registry.Call, writeIn) (struct{}, error) { return struct{}{}, nil },
	})
	if err := reg.Register(append(approvals.All(g), write)...); err != nil {
		t.Fatal(err)
	}
	builder := &profiles.Principal{ID: strings.Repeat("\x01", 256), Session: "s", Profile: "builder.review", Grants: profiles.Grant("scene.write")}
	reviewer := &profiles.Principal{ID: "grace", Session: "r", Profile: "reviewer", Grants: profiles.Grant("approval.review")}
	each := approval.DefaultBytes/approval.DefaultLimit - len(`{"text":""}`)
	held := 0
	for ; ; held++ {
		builder := *builder
		builder.ID = fmt.Sprintf("%s%03d", builder.ID[3:], held) // one alone, or some, have not so many
		if held == approval.DefaultLimit-10 {
			each = 3000 // as much as anybody has, whatever others leave
		}
		input := fmt.Sprintf(`{"text":%q}`, strings.Repeat("<", each))
		res := reg.Invoke(t.Context(), &registry.Request{Name: "site.write", Input: []byte(input), Principal: &builder}, nil)
		if res.Err.Code != registry.CodePendingApproval {
			if res.Err.Code != registry.CodeCapacityExceeded {
				t.Fatal(res.Err)
			}
			break
		}
	}
	res := reg.Invoke(t.Context(), &registry.Request{Name: "approval.list", Principal: reviewer}, nil)
	if res.Err != nil {
		t.Fatalf("of %d calls: %v", held, res.Err)
	}
	var out approvals.ListOut
	if err := json.Unmarshal(res.Output, &out); err != nil || len(out.Pending) != held || held != approval.DefaultLimit {
		t.Errorf("%d of %d held calls are listed, %v", len(out.Pending), held, err)
	}
}
