package audio

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of sounds.
const (
	MaxPlaying = 1024     // sounds at a time that end by themselves
	MaxBeds    = 64       // ambient beds
	MaxZones   = 256      // reverb zones
	MaxText    = 16 << 10 // bytes of a name and its config
)

// Sounds is what is to be heard in a world. Everything it knows is in the world, so it is hashed,
// rolled back and replayed with the rest. A world has one Sounds.
type Sounds struct {
	w      *world.World
	given  *world.Global[uint64] // handles given so far; it never goes back
	once   *world.Table[Handle, once]
	beds   *world.Table[Handle, Bed]
	music  *world.Global[Music]
	mixer  *world.Global[Mixer]
	reverb *world.Table[zoneID, Zone]
}

// once is a sound that ends by itself. Viewers know of it from its moment; the row is for those who
// want to stop it.
type once struct {
	Volume float64 `json:"volume"`
	End    uint64  `json:"end"`          // the step from which on it is silent
	By     string  `json:"by,omitempty"` // on whose behalf
}

// New adds sounds to a world.
func New(w *world.World) *Sounds {
	s := &Sounds{
		w:      w,
		given:  world.NewGlobal[uint64](w, "audio.given", 0, world.Private, world.Lasting),
		once:   world.NewTable[Handle, once](w, "audio.once", MaxPlaying, world.Private),
		beds:   world.NewTable[Handle, Bed](w, "audio.beds", MaxBeds),
		music:  world.NewGlobal(w, "audio.music", Music{}),
		mixer:  world.NewGlobal(w, "audio.mixer", Mixer{Master: 1, SFX: 1, Ambience: 1, Voice: 1}),
		reverb: world.NewTable[zoneID, Zone](w, "audio.reverb", MaxZones),
	}
	s.reverb.Locate(func(z Zone) world.Place { return world.Place{Point: &z.Position, Radius: z.Radius} })
	s.once.Resume(func(o once, past uint64) once {
		o.End += past
		return o
	})
	return s
}

// next gives out a handle.
func (s *Sounds) next(tx *world.Tx) (Handle, error) {
	n := s.given.Get(&tx.View)
	return Handle(n), s.given.Set(tx, n+1)
}

// cue is a sound that ends by itself, as a skill asks for it.
type cue struct {
	at      *world.Vec3 // nil for everywhere
	by      string      // on whose behalf
	volume  float64
	secs    float64 // how long it is taken to sound
	meta    registry.Object
	payload func(Handle) any // what viewers get of it
}

// play starts a sound that ends by itself.
func (s *Sounds) play(c *registry.Call, q cue) (Handle, error) {
	skill := c.Skill().Name
	q.by = c.Principal().ID
	return world.Do(s.w, c, func(tx *world.Tx) (Handle, error) {
		h, err := s.start(tx, skill, q)
		if err != nil {
			return 0, err
		}
		return h, c.Emit(EventStarted, started{Handle: h, Skill: skill, Meta: q.meta})
	})
}

// start starts a sound that ends by itself; kind is that of its moment.
func (s *Sounds) start(tx *world.Tx, kind string, q cue) (Handle, error) {
	h, err := s.next(tx)
	if err != nil {
		return 0, err
	}
	if err := s.makeRoom(tx, q.by); err != nil {
		return 0, err
	}
	if err := s.once.Set(tx, h, once{Volume: q.volume, End: tx.Step() + s.w.StepsIn(q.secs), By: q.by}); err != nil {
		return 0, err
	}
	return h, moment(tx, kind, q.at, q.payload(h))
}

// Effect plays a named effect at a place, nil for everywhere, on somebody's behalf, as audio.playSFX does, where no call is: in a simulation step.
func (s *Sounds) Effect(tx *world.Tx, by string, at *world.Vec3, name string, volume float64, config registry.Object) (Handle, error) {
	if err := checkText(name, config); err != nil {
		return 0, err
	}
	q := namedEffect(at, name, volume, config)
	q.by = by
	return s.start(tx, "audio.playSFX", q)
}

// makeRoom forgets sounds that have ended, once there is no room for another of somebody's. Nobody sees the
// difference, so it need not happen earlier.
func (s *Sounds) makeRoom(tx *world.Tx, by string) error {
	of := share.Kept{Most: MaxPlaying, What: "sounds that play", Free: "audio.stop ends one, or wait until one has ended"}
	if of.Ample(s.once.Len(&tx.View)) {
		return nil
	}
	room := func() error {
		return share.RoomIn(&tx.View, &of, s.once.All(&tx.View), by, func(o *once) string { return o.By })
	}
	if room() == nil {
		return nil
	}
	var ended []Handle
	for h, o := range s.once.All(&tx.View) {
		if o.End <= tx.Step() {
			ended = append(ended, h)
		}
	}
	for _, h := range ended {
		s.once.Delete(tx, h)
	}
	return room()
}

// moment adds what viewers play.
func moment(tx *world.Tx, kind string, at *world.Vec3, payload any) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	m := world.Moment{Kind: kind, Payload: text}
	if at != nil {
		m.Placed, m.At = true, *at
	}
	return tx.Moment(m)
}

// find returns the sound that a caller names, and whether it sounds still. It fails if there never
// was one; the error names those that he may have meant.
func (s *Sounds) find(v *world.View, handle string) (h Handle, sounds bool, err error) {
	h, err = ParseHandle(handle)
	if err == nil && uint64(h) < s.given.Get(v) {
		return h, s.sounds(v, h), nil
	}
	all := s.sounding(v)
	if err != nil && len(all) > 0 {
		h = all[len(all)-1] // whatever was meant, the newest are the likeliest
	}
	return 0, false, registry.Failf("unknown sound %s; %s", quote.Clip(handle), nearest(all, h))
}

func (s *Sounds) sounds(v *world.View, h Handle) bool {
	if _, ok := s.beds.Get(v, h); ok {
		return true
	}
	o, ok := s.once.Get(v, h)
	return ok && o.End > v.Step()
}

// sounding returns the handles of all that sounds, in order.
func (s *Sounds) sounding(v *world.View) []Handle {
	var all []Handle
	for h := range s.beds.All(v) {
		all = append(all, h)
	}
	for h := range s.once.All(v) {
		if s.sounds(v, h) {
			all = append(all, h)
		}
	}
	slices.Sort(all)
	return all
}

// checkText holds what a caller names and configures to its limit.
func checkText(name string, config registry.Object) error {
	if n := len(name) + len(config); n > MaxText {
		return registry.Errorf(registry.CodeCapacityExceeded, "a name and its config hold at most %d bytes, these have %d", MaxText, n)
	}
	return nil
}
