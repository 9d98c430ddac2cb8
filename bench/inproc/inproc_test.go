package inproc

import "testing"

// BenchmarkCall is one call of each subject, peers and Limina in one run: read it as ratios.
func BenchmarkCall(b *testing.B) {
	for _, s := range Subjects() {
		b.Run(s.Name, func(b *testing.B) {
			r, err := s.Open()
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := r.Repeat(b.N); err != nil {
				b.Fatal(err)
			}
		})
	}
}
