package behavior

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// Who reacts to an event is found by three tables, which follow from the minds and the profiles: who has a reaction of his own to it (ears), which profiles
// have one (fans), and who has a profile (members). So to give somebody a profile touches one row, however many its reactions are.

// shares is into how many rows those who have a profile are divided: a row is copied when it changes, and so it is short.
const shares = 64

// share returns the key under which somebody stands who has a profile. Which of the rows it is is drawn by his id.
func share(id world.ID, profile string) string {
	return row(id.Number()*0x9e3779b97f4a7c15>>58, profile)
}

// row returns the key of a row of those who have a profile.
func row(n uint64, profile string) string {
	return string([]byte{'0' + byte(n/10), '0' + byte(n%10), ':'}) + profile
}

// index has the tables follow somebody whose behavior becomes another one; nil is none.
func (m *Minds) index(tx *world.Tx, id world.ID, before, now *mind) error {
	if err := derived.Move(tx, m.ears, id, own(before), own(now)); err != nil {
		return err
	}
	return derived.Move(tx, m.members, id, stands(id, before), stands(id, now))
}

// own returns the events that somebody has a reaction of his own to, each once, in order.
func own(mi *mind) []string {
	if mi == nil {
		return nil
	}
	return triggers(mi.Reactions)
}

// stands returns the key under which somebody stands in members, if he does.
func stands(id world.ID, mi *mind) []string {
	if mi == nil || mi.Profile == "" {
		return nil
	}
	return []string{share(id, mi.Profile)}
}

// recount makes the shares of what waits what follows from that.
func (m *Minds) recount(tx *world.Tx) error {
	var emitters []string
	for _, e := range m.heard.All(&tx.View) {
		emitters = append(emitters, e.key(&tx.View))
	}
	return m.waiting.Remake(tx, emitters)
}

// reindex makes the tables what follows from the minds and profiles that there are, and from what waits.
func (m *Minds) reindex(tx *world.Tx) error {
	ears, fans, members := map[string][]world.ID{}, map[string][]string{}, map[string][]world.ID{}
	for id, mi := range m.minds.All(&tx.View) {
		for _, name := range own(&mi) {
			ears[name] = append(ears[name], id)
		}
		for _, key := range stands(id, &mi) {
			members[key] = append(members[key], id)
		}
	}
	for id, p := range m.profiles.All(&tx.View) {
		for _, name := range triggers(p.Reactions) {
			fans[name] = append(fans[name], id)
		}
	}
	if err := m.recount(tx); err != nil {
		return err
	}
	if err := derived.Remake(tx, m.ears, ears, slices.Equal); err != nil {
		return err
	}
	if err := derived.Remake(tx, m.fans, fans, slices.Equal); err != nil {
		return err
	}
	return derived.Remake(tx, m.members, members, slices.Equal)
}

// groups yields those who have a reaction to an event, in groups in which each is in id order. Profiles are left out whose author has had as many reactions
// as he may in a step.
func (m *Minds) groups(v *world.View, name string) iter.Seq[[]world.ID] {
	return func(yield func([]world.ID) bool) {
		if ears, has := m.ears.Get(v, name); has && !yield(ears) {
			return
		}
		profiles, _ := m.fans.Get(v, name)
		for _, p := range profiles {
			if m.out(v, p) {
				continue
			}
			for n := range uint64(shares) {
				if some, has := m.members.Get(v, row(n, p)); has && !yield(some) {
					return
				}
			}
		}
	}
}

// out reports whether the author of a profile has had as many reactions as he may in a step. All of a profile has one author.
func (m *Minds) out(v *world.View, id string) bool {
	if len(m.spent) == 0 {
		return false
	}
	p, _ := m.profiles.Get(v, id)
	return len(p.Reactions) > 0 && m.spent[p.Reactions[0].Do.By]
}

// anybody reports whether somebody has a reaction to an event.
func (m *Minds) anybody(v *world.View, name string) bool {
	for range m.groups(v, name) {
		return true
	}
	return false
}

// all returns who has a reaction to an event, in id order.
func (m *Minds) all(v *world.View, name string) (ids []world.ID) {
	for group := range m.groups(v, name) {
		ids = append(ids, group...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
