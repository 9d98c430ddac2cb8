package world

import "math/rand/v2"

// Rand returns the world's random source: seeded by Config.Seed, drawn from in the total order of
// transactions, put back by a rollback. It is the only randomness that may decide anything about the
// world. Drawing is a change: the world after it is another one. NormFloat64 and ExpFloat64 differ
// between platforms in the last bit and must not be used.
func (tx *Tx) Rand() *rand.Rand { return tx.rand }

// source draws for Tx.Rand.
type source struct{ tx *Tx }

func (s source) Uint64() uint64 {
	tx := s.tx
	// A run of draws needs one record: where the run began. A savepoint ends the run.
	if last := len(tx.journal) - 1; last < tx.mark || last < 0 || tx.journal[last].op != opRandom {
		tx.write(opRandom)
		tx.sources = append(tx.sources, tx.w.random)
	}
	return tx.w.random.Uint64()
}
