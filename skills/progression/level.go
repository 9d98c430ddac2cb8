package progression

import "math/big"

// MaxLevel is the highest level. Experience beyond it is kept, and leads nowhere.
const MaxLevel = 75

// MaxXP is how much experience there is at most, in one level.
const MaxXP = int64(1<<53 - 1)

// threshold is how much experience leads from a level to the next one: 100 × 1.5^(level-1), rounded down to a whole number. It is 0 at the
// highest.
func threshold(level int) int64 {
	if level >= MaxLevel {
		return 0
	}
	n := uint(level - 1)
	x := new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(n)), nil)
	return x.Mul(x, big.NewInt(100)).Rsh(x, n).Int64()
}

// gain adds experience, and raises the level as far as that leads. It returns the levels that were reached.
func (s *state) gain(amount int64) (reached []int) {
	s.XP += min(amount, MaxXP-s.XP)
	for s.Level < MaxLevel && s.XP >= threshold(s.Level) {
		s.XP -= threshold(s.Level)
		s.Level++
		s.Points++
		reached = append(reached, s.Level)
	}
	s.ToNext = 0
	if s.Level < MaxLevel {
		s.ToNext = threshold(s.Level) - s.XP
	}
	return reached
}
