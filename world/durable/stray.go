package durable

import "github.com/limina-mcp/limina/internal/disk"

// strayed says what somebody has done to what was written, so that the system takes what is written now and it is nowhere to be found; "" for nothing.
func (s *Store) strayed() string {
	switch lock, file := s.unlocked(), s.lost(); {
	case lock && file:
		return "the folder was removed or moved"
	case lock:
		return "the lock was removed"
	case file && s.cut():
		return "the file was overwritten"
	case file:
		return "the file was removed, moved or replaced"
	}
	return ""
}

// unlocked reports whether the lock that we have is not the one that others look at.
func (s *Store) unlocked() bool {
	info, err := s.lock.Stat()
	return err == nil && !disk.Same(info, s.lock.Path())
}

// lost reports whether what was written to the file is not in the one that is found.
func (s *Store) lost() bool { return s.file != nil && (s.cut() || !disk.At(s.file, s.path())) }

// cut reports whether the file is shorter than what was written to it.
func (s *Store) cut() bool {
	info, err := s.file.Stat()
	return err == nil && info.Size() < s.size
}

// settle has the folder be there, and be ours. If the file is not any more all of the world is to be written; what somebody has put in its place gets
// another name.
func (s *Store) settle() error {
	why := s.strayed()
	if why == "" {
		return nil
	}
	if s.unlocked() {
		if err := s.take(-1); err != nil {
			return err
		}
	}
	if !s.lost() {
		return nil
	}
	to, err := disk.Aside(s.path())
	if err != nil {
		return err
	}
	_ = s.file.Close()
	s.file, s.pending = nil, nil
	what := s.path() + ": " + why + ", and all of the world is written there again"
	if to != "" {
		what += "; what was found there is " + to + " now"
	}
	s.options.Told(what, nil)
	s.options.Anew(why)
	return nil
}

// astray reports whether what was written is not where it belongs.
func (s *Store) astray() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && s.strayed() != ""
}
