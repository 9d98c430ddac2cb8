package build

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

// Task is something to build.
type Task struct {
	Name   string
	Prompt string
	Calls  int // that its oracle makes, at most
	Agents int // that its oracle is

	Start func(s *Stage) error // makes the world that it begins with
	Solve func(s *Stage) error // the oracle
	Spoil func(s *Stage) error // makes a world that is right nearly right
	Check func(s *Stage) error // says what is not right
}

// Stage is one world in which a task is done. Time stands still in it but for Steps.
type Stage struct {
	World  *world.World
	Engine *engine.Engine

	ctx    context.Context
	agents map[string]*Agent
	order  []*Agent
	before map[world.ID]thing // what the task begins with
}

// Open returns a stage on which a task begins.
func Open(ctx context.Context, t *Task) (*Stage, error) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		return nil, err
	}
	s := &Stage{World: e.World, Engine: e, ctx: ctx, agents: map[string]*Agent{}}
	if err := t.Start(s); err != nil {
		return nil, fmt.Errorf("%s: the beginning: %w", t.Name, err)
	}
	for _, a := range s.order { // what the beginning took is not the oracle's
		a.Calls = 0
		a.sent.Store(0)
		a.got.Store(0)
	}
	if s.before == nil {
		s.before = s.things()
	}
	return s, nil
}

// Close ends the sessions and the world.
func (s *Stage) Close() {
	for _, a := range s.order {
		_ = a.session.Close()
		<-a.served
	}
	s.Engine.Close()
}

// Steps lets simulated time pass, a sixtieth of a second each.
func (s *Stage) Steps(n int) {
	for range n {
		s.World.Step(s.ctx)
	}
}

// Agent is an MCP client.
type Agent struct {
	Calls int // of tools

	session   *sdk.ClientSession
	served    chan struct{}
	ctx       context.Context
	sent, got atomic.Int64 // bytes
}

// Agent returns the agent of a name, which is connected when it is first asked for.
func (s *Stage) Agent(name string) (*Agent, error) {
	if a := s.agents[name]; a != nil {
		return a, nil
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	a := &Agent{served: make(chan struct{}), ctx: s.ctx}
	go func() {
		defer close(a.served)
		peer := mcp.Peer{Standard: true, Credential: &mcp.Credential{Principal: name, Profiles: []string{"builder.readWrite"}}}
		_ = s.Engine.Mcp.ServePeer(s.ctx, stdio.New(toServer, fromServer, stdio.Options{}), peer) // the client sees how it ends
		_ = fromServer.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil)
	session, err := client.Connect(s.ctx, &sdk.IOTransport{Reader: counted{toClient, &a.got}, Writer: countedOut{fromClient, &a.sent}}, nil)
	if err != nil {
		return nil, err
	}
	a.session = session
	a.sent.Store(0)
	a.got.Store(0)
	s.agents[name] = a
	s.order = append(s.order, a)
	return a, nil
}

type counted struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n.Add(int64(n))
	return n, err
}

type countedOut struct {
	io.WriteCloser
	n *atomic.Int64
}

func (c countedOut) Write(p []byte) (int, error) {
	n, err := c.WriteCloser.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// args is the input of a tool.
type args = map[string]any

// Call calls a tool, which has to succeed, and reads its result into out unless that is nil.
func (a *Agent) Call(tool string, in args, out any) error {
	a.Calls++
	res, err := a.session.CallTool(a.ctx, &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	var text strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	if res.IsError {
		return fmt.Errorf("%s: %s", tool, text.String())
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal([]byte(text.String()), out)
}

// Batch calls world.batch and returns the results of its operations.
func (a *Agent) Batch(ops ...op) ([]json.RawMessage, error) {
	var out struct {
		Results []struct{ Result json.RawMessage }
	}
	list := make([]args, len(ops))
	for i, o := range ops {
		list[i] = args{"skill": o.skill, "input": o.in}
		if o.as != "" {
			list[i]["as"] = o.as
		}
	}
	if err := a.Call("world_batch", args{"operations": list}, &out); err != nil {
		return nil, err
	}
	results := make([]json.RawMessage, len(out.Results))
	for i := range results {
		results[i] = out.Results[i].Result
	}
	return results, nil
}

// op is an operation of a batch.
type op struct {
	skill string
	in    args
	as    string
}

// box makes a box of a size, under a name for later operations.
func box(as string, at, size world.Vec3, more args) []op {
	in := args{"position": at}
	for k, v := range more {
		in[k] = v
	}
	return []op{{"scene.createEntity", in, as}, {"three.setTransform", args{"entity": "$" + as + ".entity", "scale": size}, ""}}
}
