package registry

// Reading is an input that was read before its call: see [Skill.Read]. It is good for one
// [Request]; who does not make the call after all forgets it. The zero Reading is none.
type Reading struct {
	skill *skill
	frame frame
}

// Read reads an input of the skill that stands at text[at:], for who has a whole message before him
// and would otherwise go through the input to find its end, before [Registry.Invoke] does so again.
// It returns the index behind the input; a negative one and no Reading if Invoke is to look at it
// itself, as it has to at whatever is wrong. It keeps no part of text. It may be called concurrently.
func (k Skill) Read(text []byte, at int) (r Reading, end int) {
	s := k.s
	if s == nil || s.raw() {
		return r, -1
	}
	if p := s.compiled(); p.err != nil || !p.in.Reads() {
		return r, -1
	}
	defer func() {
		if recover() != nil { // in a method of a type of the input: Invoke will see it too, and say so
			r, end = Reading{}, -1
		}
	}()
	f := s.frame()
	if end = f.read(text, at); end < 0 {
		s.release(f)
		return r, end
	}
	return Reading{s, f}, end
}

// Skill returns whose input was read, the zero Skill of the zero Reading.
func (r *Reading) Skill() Skill { return Skill{r.skill} }

// take returns the frame that has read an input of k, nil if there is none, and leaves no Reading.
func (r *Reading) take(k *skill) frame {
	f := r.frame
	if r.skill != k {
		f = nil
	}
	*r = Reading{}
	return f
}
