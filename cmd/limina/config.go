package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v4"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/reread"
	"github.com/limina-mcp/limina/trace/folder"
	"github.com/limina-mcp/limina/viewer"
	"github.com/limina-mcp/limina/world/alarm"
)

// config is what the flags say.
type config struct {
	set             *ff.FlagSet
	stdio           bool
	port            port
	version         bool
	profile         string
	profilesFile    string
	profilesAllowed names
	review          names
	approve         string
	tools           string
	seed            uint64
	maxEntities     int
	gravity         float64
	simulate        string
	leave           float64
	traceDir        string
	files           string
	world           string
	sync            bool
	traceKeep       size
	saveKey         string
	at              string
	token           string
	logLevel        string
	logFormat       string

	rights *reread.Files  // of profiles and tokens, once they are read; nil for none
	tokens *server.Tokens // once the engine is built; nil for none
	oauth  *server.OAuth  // likewise
}

// flags declares the flags that every command takes.
func (c *config) flags() *ff.FlagSet {
	fs := ff.NewFlagSet("limina")
	fs.BoolVar(&c.stdio, 0, "mcp-stdio", "serve MCP on standard input and output")
	c.port.flags(fs)
	fs.StringVar(&c.profile, 0, "profile", "builder.readWrite", "profile of standard MCP clients that ask for none, and of limina call")
	fs.StringVar(&c.profilesFile, 0, "profiles", "", "a YAML or JSON file with more profiles")
	fs.Value(0, "profiles-allowed", &c.profilesAllowed, "profiles that native clients may take without a token, with commas between; \"\" for none (default all but those that may grant approvals)")
	c.review = names{"builder.review"}
	fs.Value(0, "review", &c.review, "profiles whose calls wait for a reviewer, with commas between; \"\" for none")
	fs.Value(0, "approve", newChoice(&c.approve, "review", "elicit"), "who decides on the calls that wait: review (reviewers only) or elicit (the person at a standard client too, who is asked there)")
	fs.Value(0, "tools", newChoice(&c.tools, "published", "all"), "what standard MCP clients are listed: published (at most 16, the rest through skills_search) or all")
	fs.Uint64Var(&c.seed, 0, "seed", 1, "seed of the world's own randomness")
	fs.IntVar(&c.maxEntities, 0, "max-entities", 1_000_000, "how many entities the world may hold")
	fs.Float64Var(&c.gravity, 0, "gravity", engine.Gravity, "acceleration of bodies along y, in m/s², until physics.setGravity sets another")
	fs.Value(0, "simulate", newChoice(&c.simulate, "attended", "always"), "when time goes on: attended (while a session is open, or something is going on: bodies fall, somebody walks, a timer runs) or always")
	fs.Float64Var(&c.leave, 0, "leave", 60, "simulated seconds after an agent's last session in which its characters and its body go; 0 for never, as over standard input and output alone unless this is given")
	fs.StringVar(&c.world, 0, "world", "", "folder that the world is kept in, and goes on from (default none: the world ends with the process)")
	fs.BoolVar(&c.sync, 0, "sync", "with --world: a call that changes something is answered when that is on the disk (default: it is a tenth of a second later)")
	c.traceKeep = folder.DefaultKeep
	fs.Value(0, "trace-keep", &c.traceKeep, "how much of the trace is kept beside a world that is, such as 500MiB, at least 1MiB; the oldest files go; 0 keeps none")
	fs.StringVar(&c.traceDir, 0, "trace-dir", "", "folder that trace.export writes to (default none: the skill is refused)")
	fs.StringVar(&c.files, 0, "files", "", "folder that scene.export writes to and scene.import reads from (default none: files travel in calls and answers only)")
	fs.StringVar(&c.saveKey, 0, "save-key", "", "file of the key that saves are sealed with, made if there is none; a server opens those of its own key only (default limina/save.key in your folder of settings)")
	fs.StringVar(&c.at, 0, "at", "", "server that limina call calls, in the place of a world of its own: its URL, as https://world.example.com, or unix:PATH")
	fs.StringVar(&c.token, 0, "token", "", "token that limina call shows there; better in LIMINA_TOKEN, since others on the machine see command lines")
	fs.Value(0, "log-level", newChoice(&c.logLevel, "info", "debug", "warn", "error", "off"), "what goes to standard error: info, debug, warn, error or off")
	fs.Value(0, "log-format", newChoice(&c.logFormat, "text", "json"), "text or json")
	fs.BoolVar(&c.version, 0, "version", "print the version")
	c.set = fs
	return fs
}

// variablePrefix begins the names of variables that are flags.
const variablePrefix = "LIMINA"

// warnOfVariables tells of variables of the environment that look like flags and are none: of one that is misspelt nobody would
// see that it does nothing.
func (c *config) warnOfVariables(log zerolog.Logger, environ []string) {
	environ = slices.DeleteFunc(environ, func(v string) bool { return !strings.HasPrefix(v, variablePrefix+"_") })
	if len(environ) == 0 {
		return // as at most starts
	}
	known := []string{variablePrefix + "_JSON"} // of limina skills
	_ = c.set.WalkFlags(func(f ff.Flag) error {
		name, _ := f.GetLongName()
		known = append(known, variable(name))
		return nil
	})
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(known, name) {
			continue
		}
		warning := log.Warn().Str("variable", name)
		if near := wire.Nearest(name, known); near != "" {
			warning = warning.Str("nearest", near)
		}
		warning.Msg("this variable of the environment is no setting, and does nothing")
	}
}

// keep has the world of an engine kept where --world says. From then on a signal ends the run, and not the process: the world is to be
// written to its end.
func (c *config) keep(e *engine.Engine, std streams) error {
	if c.world == "" {
		return nil
	}
	std.heed()
	if err := e.Keep(c.world); err != nil {
		return fmt.Errorf("--world: %w", err)
	}
	return nil
}

// limit has the world know who is banned, and what profiles grant, when somebody is to be served in it.
func (c *config) limit(e *engine.Engine) error {
	var banned []string
	if c.tokens != nil {
		banned = c.tokens.Banned()
	}
	return e.Ban(banned)
}

// maxGravity is a thousand times that of the earth: bodies get no further in a step than they can.
const maxGravity = 10_000

// maxLeave is what timers may take, too, in seconds.
const maxLeave = 1e9

// leaves is --leave as [engine.Config] has it. Without a port nobody comes back to find somebody else's characters, and a client that is started anew is the same person: nothing goes
// unless it is asked for.
func (c *config) leaves() float64 {
	if f, ok := c.set.GetFlag("leave"); !c.port.serves() && (!ok || !f.IsSet()) {
		return 0
	}
	if c.leave <= 0 {
		return -1
	}
	return c.leave
}

// tiers are the values of --tools.
var tiers = map[string]mcp.Tier{"published": mcp.Published, "all": mcp.All}

// engine builds what the flags describe.
func (c *config) engine(log zerolog.Logger) (*engine.Engine, error) {
	c.warnOfVariables(log, os.Environ())
	if err := c.numbers(); err != nil {
		return nil, err
	}
	if files := slices.DeleteFunc([]string{c.profilesFile, c.port.tokenFile}, func(path string) bool { return path == "" }); len(files) > 0 {
		c.rights = reread.Look(files...)
	}
	known, err := c.profiles()
	if err != nil {
		return nil, err
	}
	if err := c.named(known); err != nil {
		return nil, err
	}
	if c.tokens, err = c.port.tokens(known, log); err != nil {
		return nil, err
	}
	if c.oauth, err = c.port.oauth.server(known); err != nil {
		return nil, err
	}
	if err := c.folders(log); err != nil {
		return nil, err
	}
	saves, err := c.savesKey(log)
	if err != nil {
		return nil, err
	}
	e := engine.Config{
		Sync: c.sync, TraceKeep: c.traceKeep.keep(), Seed: c.seed, MaxEntities: c.maxEntities, Gravity: &c.gravity, Leave: c.leaves(), Always: c.simulate == "always", Profiles: known, Review: c.review, Elicit: c.approve == "elicit", TraceDir: c.traceDir, Files: c.files, SaveKey: saves, App: viewer.Page(), Logger: log,
		MCP: mcp.Options{
			Profile: c.profile, Allowed: c.profilesAllowed, Tools: tiers[c.tools], Version: version(), Logger: log,
		},
	}
	e.MCP.Tokens = c.credential
	if a, err := alarm.New(); err == nil { // else by Go's timers
		e.Alarm = a
	}
	built, err := engine.New(e)
	if err != nil {
		return nil, err
	}
	return built, c.checkPermissions(known, built.Registry)
}

// profiles are those that there are, with those of the file.
func (c *config) profiles() (*profiles.Set, error) {
	if c.profilesFile == "" {
		return profiles.Builtin(), nil
	}
	known, err := profiles.Load(c.profilesFile)
	if err != nil {
		return nil, fmt.Errorf("--profiles: %w", err)
	}
	return known, nil
}

// named fails if flags name a profile that is not known.
func (c *config) named(known *profiles.Set) error {
	for _, of := range [...]struct {
		flag  string
		names []string
	}{{"--profile", []string{c.profile}}, {"--profiles-allowed", c.profilesAllowed}, {"--review", c.review}} {
		for _, name := range of.names {
			if _, err := known.Resolve(name); err != nil {
				return usageError{of.flag + ": " + err.Error()}
			}
		}
	}
	return nil
}

// numbers refuses those that no world can have.
func (c *config) numbers() error {
	if c.maxEntities < 1 {
		return usageError{fmt.Sprintf("--max-entities: must be at least 1, got %d", c.maxEntities)}
	}
	if !(math.Abs(c.gravity) <= maxGravity) {
		return usageError{fmt.Sprintf("--gravity: must be within ±%v, got %v", maxGravity, c.gravity)}
	}
	if !(c.leave <= maxLeave) {
		return usageError{fmt.Sprintf("--leave: must be at most %v, got %v", maxLeave, c.leave)}
	}
	return nil
}

// folders refuses folders that cannot be meant, and warns of those that are not there.
func (c *config) folders(log zerolog.Logger) error {
	for _, folder := range [...]struct{ flag, dir string }{{"world", c.world}, {"files", c.files}, {"trace-dir", c.traceDir}} {
		if f, ok := c.set.GetFlag(folder.flag); folder.dir == "" && ok && f.IsSet() && !emptyVariable(folder.flag) {
			return usageError{"--" + folder.flag + ": is empty: name a folder, or leave it out"}
		}
	}
	if c.sync && c.world == "" {
		return usageError{"--sync: is for a world that is kept: give --world, the folder, too"}
	}
	for _, folder := range [...]struct{ flag, dir string }{{"--files", c.files}, {"--trace-dir", c.traceDir}} {
		if folder.dir == "" {
			continue
		}
		if info, err := os.Stat(folder.dir); err == nil && !info.IsDir() {
			return usageError{folder.flag + ": " + folder.dir + " is a file, not a folder"}
		} else if err != nil {
			log.Warn().Str("folder", folder.dir).Msg(folder.flag + ": there is no such folder; until there is, calls that need it fail")
		}
	}
	return nil
}

// variable is the name of the variable of the environment that sets a flag.
func variable(flag string) string {
	return variablePrefix + "_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// emptyVariable reports whether a flag is set by a variable that is empty, which is as good as none.
func emptyVariable(flag string) bool {
	value, is := os.LookupEnv(variable(flag))
	return is && value == ""
}

// checkPermissions refuses a profile file that grants what no skill needs: it is misspelt.
func (c *config) checkPermissions(known *profiles.Set, reg *registry.Registry) error {
	if c.profilesFile == "" {
		return nil
	}
	needed := profiles.Known()
	for _, k := range reg.List(registry.Filter{}) {
		needed = append(needed, k.Info().Permissions...)
	}
	profile, p, stray := known.Stray(func(p profiles.Permission) bool { return slices.Contains(needed, p) })
	if !stray {
		return nil
	}
	names := make([]string, len(needed))
	for i, p := range needed {
		names[i] = string(p)
	}
	problem := fmt.Sprintf("--profiles: %s: profile %q grants %q, which no skill needs", c.profilesFile, profile, p)
	if near := wire.Nearest(string(p), names); near != "" {
		problem += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(problem)
}

// credential is what a token stands for, whoever has given it.
func (c *config) credential(token string) (found mcp.Credential, ok bool) {
	if c.tokens != nil {
		found, ok = c.tokens.Credential(token)
	}
	if !ok && c.oauth != nil {
		found, ok = c.oauth.Credential(token)
	}
	return found, ok
}

// logger writes to w what the flags ask for.
func (c *config) logger(w io.Writer) zerolog.Logger {
	if c.logLevel == "off" {
		return zerolog.Nop()
	}
	if c.logFormat == "text" {
		w = zerolog.ConsoleWriter{Out: w, NoColor: true, TimeFormat: "15:04:05.000"}
	}
	level, err := zerolog.ParseLevel(c.logLevel)
	if err != nil {
		level = zerolog.InfoLevel
	}
	return zerolog.New(w).Level(level).Hook(zerolog.HookFunc(func(e *zerolog.Event, _ zerolog.Level, _ string) {
		e.Str(zerolog.TimestampFieldName, time.Now().Format("2006-01-02T15:04:05.000Z07:00")) // With().Timestamp has seconds only
	}))
}
