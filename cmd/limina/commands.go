package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/peterbourgon/ff/v4"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/trace/folder"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/durable"
)

// rootCommand declares limina and its subcommands.
func rootCommand(std streams) *ff.Command {
	var c config
	flags := c.flags()
	return &ff.Command{
		Name:      "limina",
		Usage:     "limina --mcp-stdio [--mcp-ws] [FLAGS]\n  limina --mcp-ws [--port N] [FLAGS]\n  limina --mcp-http [--port N] [FLAGS]\n  limina skills [--json]\n  limina call SKILL [JSON]\n  limina verify FILE...",
		ShortHelp: "a shared 3-D world that agents build over MCP",
		LongHelp:  "Flags stand before SKILL. Each is a variable of the environment too: --log-level is LIMINA_LOG_LEVEL.",
		Flags:     flags,
		Exec: func(ctx context.Context, args []string) error {
			switch {
			case len(args) > 0:
				return usageError{fmt.Sprintf("unknown command %q: want skills, call or verify", args[0])}
			case c.version:
				fmt.Fprintln(std.out, "limina", version())
				return nil
			case c.stdio && c.port.serves():
				return serveBoth(ctx, &c, std)
			case c.stdio:
				return serveStdio(ctx, &c, std)
			case c.port.serves():
				return servePort(ctx, &c, std)
			default:
				return usageError{"nothing to do: say --mcp-stdio, --mcp-ws, --mcp-http, skills, call or verify"}
			}
		},
		Subcommands: []*ff.Command{skillsCommand(&c, flags, std), callCommand(&c, flags, std), verifyCommand(&c, flags, std)},
	}
}

// version is the module's, and the commit's where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// serveStdio runs the world and one MCP connection, until standard input ends.
func serveStdio(ctx context.Context, c *config, std streams) error {
	log := c.logger(std.err)
	e, err := c.engine(log)
	if err != nil {
		return err
	}
	if err := c.keep(e, std); err != nil {
		return err
	}
	if err := c.limit(e); err != nil {
		return err
	}
	log.Debug().Str("version", version()).Msg("serving MCP on standard input and output")
	return e.Run(ctx, func(ctx context.Context) error { return speak(ctx, e, std) })
}

// speak serves one MCP connection on standard input and output, until standard input ends.
func speak(ctx context.Context, e *engine.Engine, std streams) error {
	err := e.Mcp.ServePeer(ctx, stdio.New(std.in, heeding{std.out, std.heed}, stdio.Options{}), mcp.Peer{Via: "stdio"})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) { // a signal is an order, not a failure
		return nil
	}
	return err
}

func skillsCommand(c *config, parent *ff.FlagSet, std streams) *ff.Command {
	flags := ff.NewFlagSet("skills").SetParent(parent)
	asJSON := flags.BoolLong("json", "print names, permissions and schemas as JSON")
	return &ff.Command{
		Name: "skills", Usage: "limina skills [--json]", ShortHelp: "print the catalogue", Flags: flags,
		Exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Sprintf("skills takes no arguments, got %q", args[0])}
			}
			e, err := c.engine(c.logger(std.err))
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(std, e.Registry.List(registry.Filter{}))
			}
			return printTable(std, e.Registry.List(registry.Filter{}))
		},
	}
}

func printTable(std streams, skills []registry.Skill) error {
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, k := range skills {
		info := k.Info()
		about, _, _ := strings.Cut(info.Description, ". ")
		fmt.Fprintf(t, "%s\t%s\t%s\n", info.Name, permissions(info), strings.TrimSuffix(about, "."))
	}
	return t.Flush()
}

func permissions(info registry.Info) string {
	if len(info.Permissions) == 0 {
		return string(profiles.Anyone)
	}
	names := make([]string, len(info.Permissions))
	for i, p := range info.Permissions {
		names[i] = string(p)
	}
	return strings.Join(names, ",")
}

// listed is a skill as limina skills --json prints it.
type listed struct {
	Name         string                `json:"name"`
	Version      string                `json:"version"`
	Category     string                `json:"category"`
	Description  string                `json:"description"`
	Permissions  []profiles.Permission `json:"permissions"`
	Effect       string                `json:"effect"`
	Core         bool                  `json:"core"`
	Published    bool                  `json:"published"`
	InputSchema  json.RawMessage       `json:"input_schema"`
	OutputSchema json.RawMessage       `json:"output_schema,omitempty"`
}

func printJSON(std streams, skills []registry.Skill) error {
	out := make([]listed, len(skills))
	for i, k := range skills {
		info := k.Info()
		out[i] = listed{
			Name: info.Name, Version: info.Version, Category: info.Category, Description: info.Description,
			Permissions: append([]profiles.Permission{}, info.Permissions...), Effect: info.Effect.String(), Core: info.Core, Published: info.Published,
			InputSchema: k.InputSchema(), OutputSchema: k.OutputSchema(),
		}
	}
	enc := json.NewEncoder(std.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func callCommand(c *config, parent *ff.FlagSet, std streams) *ff.Command {
	return &ff.Command{
		Name: "call", Usage: "limina call SKILL [JSON]", ShortHelp: "run one skill in a fresh world, in that of --world, or in that of a server that runs (--at), and print what it gives",
		Flags: ff.NewFlagSet("call").SetParent(parent),
		Exec: func(ctx context.Context, args []string) error {
			for _, a := range args {
				if strings.HasPrefix(a, "--") {
					return usageError{fmt.Sprintf("call: flags stand before the name of the skill, got %s behind it", a)}
				}
			}
			if len(args) < 1 || len(args) > 2 {
				return usageError{"call takes the name of a skill and, if it needs one, its input as JSON"}
			}
			if c.at != "" {
				return c.callAt(ctx, args[0], strings.Join(args[1:], ""), std)
			}
			e, err := c.engine(c.logger(std.err))
			if err != nil {
				return err
			}
			grants, err := e.Profiles.Resolve(c.profile)
			if err != nil {
				return err
			}
			req := registry.Request{Name: args[0], Principal: &profiles.Principal{
				Kind: profiles.KindOperator, ID: "limina-call", Session: "call", Profile: c.profile, Grants: grants,
			}}
			if len(args) == 2 {
				req.Input = []byte(args[1])
			}
			if err := c.keep(e, std); err != nil {
				return err
			}
			std.heed()
			res := e.Registry.Invoke(ctx, &req, nil)
			if err := e.Close(); err != nil {
				return err
			}
			if res.Err != nil {
				return errors.New(string(res.Err.Code) + ": " + res.Err.Message)
			}
			fmt.Fprintf(std.out, "%s\n", res.Output)
			return nil
		},
	}
}

func verifyCommand(c *config, parent *ff.FlagSet, std streams) *ff.Command {
	return &ff.Command{
		Name: "verify", Usage: "limina verify FILE...", ShortHelp: "check the hashes of a trace that was exported, or is kept in a folder, and the world in that",
		Flags: ff.NewFlagSet("verify").SetParent(parent),
		Exec: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usageError{"verify takes the names of files that trace.export wrote, oldest first, or of the folder of --world"}
			}
			worlds, err := c.worldsIn(args, std) // before the trace, which is ahead of them
			if err != nil {
				return err
			}
			paths, err := filesOf(args)
			if errors.Is(err, errNoTrace) && len(worlds) == len(args) && !slices.ContainsFunc(worlds, func(found durable.Found) bool { return found.Mark > 0 }) {
				return nil // none is kept
			}
			if err != nil {
				return err
			}
			all, err := verify(paths, std)
			if err != nil {
				return err
			}
			if len(args) == 1 && len(worlds) == 1 && trace.ID(worlds[0].Mark) > all.Last {
				return fmt.Errorf("%s: the trace lacks %v: they were on the disk when the world was written", args[0], trace.Span{First: all.Last + 1, Last: trace.ID(worlds[0].Mark)})
			}
			return printSummary(std, &all)
		},
	}
}

var errNoTrace = errors.New("holds no files of a trace")

// worldsIn checks the worlds that are kept in those of args that are folders with one, and says what they are.
func (c *config) worldsIn(args []string, std streams) (worlds []durable.Found, err error) {
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			continue // filesOf says what is wrong with it
		}
		e, err := engine.New(engine.Config{MaxEntities: c.maxEntities})
		if err != nil {
			return nil, err
		}
		found, err := durable.Check(e.World, arg)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var foreign *world.ForeignError
		if errors.As(err, &foreign) { // a host program's own state, or that of another version: the rest can be looked at
			for _, name := range foreign.Names {
				e.World.Retire(name)
			}
			found, err = durable.Check(e.World, arg)
		}
		if err != nil {
			return nil, err
		}
		how := "closed in order"
		if !found.Closed {
			how = "not closed"
		}
		if found.Torn > 0 {
			how += fmt.Sprintf("; its last %d bytes were not written to their end", found.Torn)
		}
		e.World.View(func(v *world.View) {
			fmt.Fprintf(std.out, "%s: a world of %d entities at tick %d, %s\n", arg, v.Len(), found.Tick, how)
		})
		if foreign != nil {
			fmt.Fprintf(std.out, "%s: is of another program, or another version, which alone opens it: what it holds of %s is there as it was written, and is not looked into\n", arg, strings.Join(foreign.Names, ", "))
		}
		worlds = append(worlds, found)
	}
	return worlds, nil
}

// filesOf returns the files that are named, and those of a trace in folders that are.
func filesOf(args []string) (paths []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		files, err := folder.Files(arg)
		if err == nil && len(files) == 0 { // the folder of a world has that of its trace in it
			files, err = folder.Files(folder.Of(arg))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: %w", arg, errNoTrace)
		}
		paths = append(paths, files...)
	}
	return paths, nil
}

// verify checks files, each by itself and whether it goes on from the one before.
func verify(paths []string, std streams) (all trace.Summary, err error) {
	for _, path := range paths {
		sum, err := verifyFile(path)
		if errors.Is(err, os.ErrNotExist) { // a process that keeps the trace has removed it: its oldest, or one that had got nothing
			continue
		}
		if err == nil {
			err = all.Join(sum)
		}
		if err != nil {
			return all, fmt.Errorf("%s: %w", path, err)
		}
		if len(paths) > 1 && sum.Events > 0 {
			fmt.Fprintf(std.out, "%s: %v to %v\n", path, sum.First, sum.Last)
		}
	}
	if all.Events == 0 {
		return all, fmt.Errorf("%s: holds no events", strings.Join(paths, ", "))
	}
	unsaid := all.Unsaid()
	for _, gap := range all.Missing {
		if !slices.Contains(unsaid, gap) {
			fmt.Fprintf(std.out, "lost: %v (%d), as the trace says: the disk did not take them, or somebody has taken them away\n", gap, gap.Len())
		}
	}
	if len(unsaid) > 0 {
		return all, fmt.Errorf("%v are missing (%d), and no event says why", unsaid[0], unsaid[0].Len())
	}
	return all, nil
}

func verifyFile(path string) (trace.Summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return trace.Summary{}, err
	}
	defer f.Close()
	return trace.Verify(f)
}

func printSummary(std streams, sum *trace.Summary) error {
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "events\t%d\nfirst\t%v\nlast\t%v\nprev\t%s\nhash\t%s\n", sum.Events, sum.First, sum.Last, sum.Prev, sum.Hash)
	return t.Flush()
}
