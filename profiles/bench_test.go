package profiles_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

func BenchmarkMissing(b *testing.B) {
	grants := resolve(b, profiles.Builtin(), "builder.readWrite")
	benchmarks := map[string]profiles.Need{
		"held":    profiles.Require("scene.read", "scene.write", "physics.read"),
		"missing": profiles.Require("scene.read", "trace.read"),
	}
	for name, need := range benchmarks {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				grants.Missing(need)
			}
		})
	}
}

func BenchmarkHas(b *testing.B) {
	grants := resolve(b, profiles.Builtin(), "builder.readWrite")
	b.ReportAllocs()
	for b.Loop() {
		grants.Has("scene.write")
	}
}

func BenchmarkBuiltin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		profiles.Builtin()
	}
}
