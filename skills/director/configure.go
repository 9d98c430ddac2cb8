package director

import (
	"cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Config is how a director paces, see the documentation of the package.
type Config struct {
	BuildRate       float64 `json:"buildRate" jsonschema_description:"How much tension rises in a second of build_up."`
	FadeRate        float64 `json:"fadeRate" jsonschema_description:"How much it falls in a second of fade."`
	SustainTicks    uint64  `json:"sustainTicks" jsonschema_description:"How many simulation steps it stays at its peak; 60 are a second."`
	RestTicks       uint64  `json:"restTicks" jsonschema_description:"How many steps it rests."`
	PeakLevel       float64 `json:"peakLevel" jsonschema_description:"The most that it is."`
	RestLevel       float64 `json:"restLevel" jsonschema_description:"The least, at which it begins and rests."`
	PressureDamping float64 `json:"pressureDamping" jsonschema_description:"Which part of the pressure on who plays each step leaves for the next."`
}

// usual is what holds that nobody has configured.
var usual = Config{BuildRate: 0.02, FadeRate: 0.03, SustainTicks: 180, RestTicks: 240, PeakLevel: 1, RestLevel: 0.1, PressureDamping: 0.9}

// ConfigureIn is the input of director.configure. What is left out stays as it is.
type ConfigureIn struct {
	BuildRate       *float64        `json:"buildRate,omitempty" validate:"omitempty,gt=0,lte=1" jsonschema_description:"How much tension rises in a second of build_up: .02 at first, so that it takes 45 seconds."`
	FadeRate        *float64        `json:"fadeRate,omitempty" validate:"omitempty,gt=0,lte=1" jsonschema_description:"How much it falls in a second of fade: .03 at first, which takes 30 seconds."`
	SustainSeconds  *float64        `json:"sustainSeconds,omitempty" validate:"omitempty,gte=0,lte=1600" jsonschema_description:"How many simulated seconds it stays at its peak: 3 at first."`
	SustainTicks    *uint64         `json:"sustainTicks,omitempty" validate:"omitempty,lte=100000" jsonschema_description:"The same in simulation steps, 60 in a second, in place of sustainSeconds."`
	RestSeconds     *float64        `json:"restSeconds,omitempty" validate:"omitempty,gte=0,lte=1600" jsonschema_description:"How many simulated seconds it rests: 4 at first."`
	RestTicks       *uint64         `json:"restTicks,omitempty" validate:"omitempty,lte=100000" jsonschema_description:"The same in simulation steps, in place of restSeconds."`
	PeakLevel       *float64        `json:"peakLevel,omitempty" validate:"omitempty,gt=0,lte=1" jsonschema_description:"The tension at which build_up ends: 1 at first. It is above restLevel."`
	RestLevel       *float64        `json:"restLevel,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"The tension at which fade ends, and at which it begins: .1 at first."`
	PressureDamping *float64        `json:"pressureDamping,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"Which part of the pressure on who plays (damage, deaths, kills) each step leaves for the next; the rest becomes tension. .9 at first; 0: all at once, 1: it does not count."`
	Meta            registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ConfigureOut is the output of director.configure.
type ConfigureOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Config Config `json:"config" jsonschema_description:"What holds now."`
}

func (d *Director) configure() registry.Skill {
	return registry.Define(registry.Spec[ConfigureIn, ConfigureOut]{
		Name:  "director.configure",
		Title: "Say how a game is paced",
		Description: "Say how the director paces a game: how fast tension rises and falls, how high, how long it is held and rests, and how much the fight counts. What you leave out stays; with nothing it tells what holds. It counts from the next simulation step on, and begins nothing: director.start does. " +
			`Example: {"buildRate":0.05,"restSeconds":15}`,
		Keywords:    "pacing tension intensity difficulty dynamic adaptive co-op tune waves",
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ConfigureIn) (ConfigureOut, error) {
			if err := author(c); err != nil {
				return ConfigureOut{}, err
			}
			return world.Do(d.w, c, func(tx *world.Tx) (ConfigureOut, error) {
				cfg := d.config.Get(&tx.View)
				before := cfg
				if err := in.change(d.w, &cfg); err != nil {
					return ConfigureOut{}, err
				}
				if cfg == before {
					return ConfigureOut{true, cfg}, nil
				}
				return ConfigureOut{true, cfg}, d.config.Set(tx, cfg)
			})
		},
	})
}

// change changes what the input says, if that makes sense.
func (in *ConfigureIn) change(w *world.World, cfg *Config) error {
	for _, both := range [...]struct {
		seconds *float64
		ticks   **uint64
		names   string
	}{{in.SustainSeconds, &in.SustainTicks, "sustainSeconds, sustainTicks"}, {in.RestSeconds, &in.RestTicks, "restSeconds, restTicks"}} {
		if both.seconds == nil {
			continue
		}
		if *both.ticks != nil {
			return registry.Invalidf("%s: give one of the two; ticks are simulation steps", both.names)
		}
		steps := w.StepsIn(*both.seconds)
		*both.ticks = &steps
	}
	cfg.BuildRate = *cmp.Or(in.BuildRate, &cfg.BuildRate)
	cfg.FadeRate = *cmp.Or(in.FadeRate, &cfg.FadeRate)
	cfg.SustainTicks = *cmp.Or(in.SustainTicks, &cfg.SustainTicks)
	cfg.RestTicks = *cmp.Or(in.RestTicks, &cfg.RestTicks)
	cfg.PeakLevel = *cmp.Or(in.PeakLevel, &cfg.PeakLevel)
	cfg.RestLevel = *cmp.Or(in.RestLevel, &cfg.RestLevel)
	cfg.PressureDamping = *cmp.Or(in.PressureDamping, &cfg.PressureDamping)
	switch {
	case cfg.RestLevel < cfg.PeakLevel:
		return nil
	case in.RestLevel == nil:
		return registry.Invalidf("peakLevel: must be above restLevel, which is %v", cfg.RestLevel)
	}
	return registry.Invalidf("restLevel: must be below peakLevel, which is %v", cfg.PeakLevel)
}
