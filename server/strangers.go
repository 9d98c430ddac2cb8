package server

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// strangers are the open connections whose peers have not shown yet who they are. When the port is full they have to make room, so that nobody
// who does no more than connect keeps others out: of the address that has most of them the one that has been there for longest. Whoever has
// a right to be here shows it at once; he is let be then, wherever he comes from. So many may come from one address, as
// from behind a NAT, or through a proxy. The methods may be called concurrently.
type strangers struct {
	mu    sync.Mutex // guards what follows, and all that changes in crowds
	from  map[netip.Prefix]*crowd
	ranks []*list.List // of *crowd: those of n connections, in the order in which they came to have so many
	all   int
}

// crowd is the strangers of one address.
type crowd struct {
	from  netip.Prefix
	conns list.List // of *incoming, the oldest first
	rank  *list.Element
}

// bits of an IPv6 address that one subscriber has to himself, and may fill as he likes, are those behind the first 64.
const subscriberBits = 64

// originOf returns which connections count together: those of one IPv4 address, or of one network of IPv6. Those that have no
// such address, as of unix sockets, count together too.
func originOf(c net.Conn) netip.Prefix {
	at, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := at.AddrPort().Addr().Unmap().WithZone("")
	if ip.Is6() {
		network, _ := ip.Prefix(subscriberBits)
		return network
	}
	return netip.PrefixFrom(ip, ip.BitLen())
}

// add counts a connection until remove.
func (s *strangers) add(c *incoming) {
	from := originOf(c.Conn)
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.from[from]
	if w == nil {
		w = &crowd{from: from}
		if s.from == nil {
			s.from = map[netip.Prefix]*crowd{}
		}
		s.from[from] = w
	}
	c.crowd, c.at = w, w.conns.PushBack(c)
	s.all++
	s.rerank(w, w.conns.Len()-1)
}

// remove counts a connection no more. It may be called again.
func (s *strangers) remove(c *incoming) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeLocked(c)
}

func (s *strangers) removeLocked(c *incoming) {
	w := c.crowd
	if w == nil {
		return
	}
	c.crowd = nil
	w.conns.Remove(c.at)
	s.all--
	s.rerank(w, w.conns.Len()+1)
}

// rerank puts a crowd that had before connections to those that have as many as it has now.
func (s *strangers) rerank(w *crowd, before int) {
	if before > 0 {
		s.ranks[before].Remove(w.rank)
	}
	now := w.conns.Len()
	if now == 0 {
		delete(s.from, w.from)
	} else {
		for len(s.ranks) <= now {
			s.ranks = append(s.ranks, list.New())
		}
		w.rank = s.ranks[now].PushBack(w)
	}
	for n := len(s.ranks) - 1; n >= 0 && s.ranks[n].Len() == 0; n-- {
		s.ranks = s.ranks[:n]
	}
}

// take takes out the connection that has to go, nil if there is none. from is where it has come from, with so many others.
func (s *strangers) take() (c *incoming, from netip.Prefix, others int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ranks) == 0 {
		return nil, from, 0
	}
	w, _ := s.ranks[len(s.ranks)-1].Front().Value.(*crowd)
	c, _ = w.conns.Front().Value.(*incoming)
	s.removeLocked(c)
	return c, w.from, w.conns.Len()
}

// len returns how many there are.
func (s *strangers) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}
