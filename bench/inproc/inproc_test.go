package inproc

import "testing"

// BenchmarkCall is one call of each subject, peers and Limina in one run: read it as ratios.
func BenchmarkCall(b *testing.B) {
	for _, s := range Subjects() {
		b.Run(s.Name, func(b *testing.B) {
			call, stop, err := s.Open()
			if err != nil {
				b.Fatal(err)
			}
			defer stop()
			b.ReportAllocs()
			for b.Loop() {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
