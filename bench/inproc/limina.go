package inproc

import (
	"bytes"
	"context"
	"fmt"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/filler"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// worldLimit lets a benchmark create more than a world usually holds.
const worldLimit = 1 << 26

// fullCatalogue is how many skills Limina will have, more or less.
const fullCatalogue = 200

// open returns a full engine, as cmd/limina builds it, and a session on it.
func open() (*engine.Engine, *mcp.Session, error) {
	e, err := engine.New(engine.Config{MaxEntities: worldLimit, Review: []string{"builder.review"}})
	if err != nil {
		return nil, nil, err
	}
	s, err := join(e, "bench")
	return e, s, err
}

// join opens a session for an agent.
func join(e *engine.Engine, name string) (*mcp.Session, error) {
	return e.Mcp.Open(mcp.Identity{
		AgentID: "agt_" + name, SessionID: "ses_" + name, Profile: "builder.readWrite", Kind: profiles.KindAgent,
	})
}

// openMessage is whole JSON-RPC messages through Serve, in memory.
func openMessage() (Runner, error) {
	e, s, err := open()
	if err != nil {
		return nil, err
	}
	s.Close() // Serve opens its own
	return openMessages(e.Mcp, call.Default())
}

// openList is tools/list of a full catalogue, every tool in one page, through Serve as openMessage.
func openList() (Runner, error) {
	e, err := engine.New(engine.Config{MCP: mcp.Options{Tools: mcp.All, PageSize: fullCatalogue}})
	if err != nil {
		return nil, err
	}
	if err := filler.Fill(e.Registry, fullCatalogue); err != nil {
		return nil, err
	}
	return openMessages(e.Mcp, call.Method("tools/list", "{}"))
}

// openBytes is the in-process call with its input and its response as JSON.
func openBytes() (Runner, error) {
	e, s, err := open()
	if err != nil {
		return nil, err
	}
	ctx, input, buf := context.Background(), []byte(call.Arguments), make([]byte, 0, 1024)
	return caller{func() error {
		buf = e.Mcp.AppendCall(ctx, s, call.Name, input, buf[:0])
		if !bytes.HasPrefix(buf, []byte(`{"success":true`)) {
			return fmt.Errorf("limina: %s", buf)
		}
		return nil
	}, s.Close}, nil
}

// openTyped is the in-process call from Go value to Go value.
func openTyped() (Runner, error) {
	e, s, err := open()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	in := scene.CreateEntityIn{
		Shape: "box", Size: 1.5, Color: 0xff8800, Position: world.Vec3{1, 2, 3}, Material: "wood",
	}
	return caller{func() error {
		_, err := mcp.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, e.Mcp, s, call.Name, in)
		return err
	}, s.Close}, nil
}
