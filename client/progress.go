package client

import "encoding/json"

// progress follows one call.
type progress struct {
	token uint64 // by which the server names the call
	tell  func(Progress)
	came  chan Progress // the newest, until it is told
}

// news is where progress comes; nil, where nothing ever does, if nobody wants to know.
func (p *progress) news() <-chan Progress {
	if p == nil {
		return nil
	}
	return p.came
}

// tellLast tells what has come and was not told.
func (p *progress) tellLast() {
	select {
	case at := <-p.news():
		p.tell(at)
	default:
	}
}

// follow has progress of a call told. Until unfollow the server may name it by the token.
func (c *Client) follow(tell func(Progress)) *progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens++
	p := &progress{token: c.tokens, tell: tell, came: make(chan Progress, 1)}
	c.followed[p.token] = p
	return p
}

func (c *Client) unfollow(p *progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.followed, p.token)
}

// takeProgress takes a notifications/progress. One of a call that nobody follows any more, as may cross its end, is passed over.
func (c *Client) takeProgress(params json.RawMessage) error {
	var told struct {
		Token json.RawMessage `json:"progressToken"`
		Progress
	}
	if err := json.Unmarshal(params, &told); err != nil {
		return violation("not a progress: %.100q: %w", params, err)
	}
	var token uint64
	if json.Unmarshal(told.Token, &token) != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.followed[token]
	if p == nil {
		return nil
	}
	select { // who reads is alone in this, so there is room afterwards
	case <-p.came:
	default:
	}
	p.came <- told.Progress
	return nil
}
