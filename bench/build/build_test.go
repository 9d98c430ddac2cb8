package build_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/bench/build"
)

// TestOracles has every oracle solve its task in the calls that it is allowed, and prints what it took.
// Every check refuses the world that its task begins with, and one that is nearly right.
func TestOracles(t *testing.T) {
	tasks := build.Tasks()
	rows := make([]string, len(tasks))
	for i := range tasks {
		t.Run(tasks[i].Name, func(t *testing.T) { rows[i] = solve(t, &tasks[i]) })
	}
	t.Logf("\n| task | calls | at most | bytes of the calls | bytes of the replies |\n| --- | ---: | ---: | ---: | ---: |\n%s", strings.Join(rows, "\n"))
}

func solve(t *testing.T, task *build.Task) (row string) {
	t.Helper()
	begin := func() *build.Stage {
		s, err := build.Open(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	if err := task.Check(begin()); err == nil {
		t.Error("the check takes the world that the task begins with")
	}
	solved := begin()
	if err := task.Solve(solved); err != nil {
		t.Fatalf("the oracle: %v", err)
	}
	cost := solved.Cost()
	if err := task.Check(solved); err != nil {
		t.Errorf("the oracle's world: %v", err)
	}
	if cost.Calls > task.Calls || cost.Agents != task.Agents {
		t.Errorf("the oracle took %d calls of %d agents, it has %d of %d", cost.Calls, cost.Agents, task.Calls, task.Agents)
	}
	spoilt := begin()
	if err := task.Solve(spoilt); err != nil {
		t.Fatalf("the oracle, again: %v", err)
	}
	if err := task.Spoil(spoilt); err != nil {
		t.Fatal(err)
	}
	if err := task.Check(spoilt); err == nil {
		t.Error("the check takes a world that is only nearly right")
	} else {
		t.Logf("nearly right: %v", err)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d |", task.Name, cost.Calls, task.Calls, cost.Sent, cost.Got)
}

// TestToolList says what a client is shown before it begins.
func TestToolList(t *testing.T) {
	task := build.Tasks()[0]
	s, err := build.Open(t.Context(), &task)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, bytes, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	if tools > 16 || bytes > 64<<10 {
		t.Errorf("%d tools in %d bytes", tools, bytes)
	}
	t.Logf("%d tools in %d bytes", tools, bytes)
}
