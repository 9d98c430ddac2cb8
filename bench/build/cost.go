package build

// Cost is what solving a task took.
type Cost struct {
	Agents    int
	Calls     int
	Sent, Got int64 // bytes of MCP, with everything around the calls
}

// Cost returns what has been done on the stage since it was opened.
func (s *Stage) Cost() (c Cost) {
	for _, a := range s.order {
		if a.Calls > 0 {
			c.Agents++
		}
		c.Calls += a.Calls
		c.Sent += a.sent.Load()
		c.Got += a.got.Load()
	}
	return c
}

// List lists the tools, and returns how many there are and how many bytes that takes.
func (s *Stage) List() (tools int, bytes int64, err error) {
	a, err := s.Agent("list")
	if err != nil {
		return 0, 0, err
	}
	before := a.got.Load()
	res, err := a.session.ListTools(s.ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	return len(res.Tools), a.got.Load() - before, nil
}
