// Package profiles says who may do what.
//
// A skill names the [Permission] strings it needs; a caller, the [Principal], holds [Grants]. The check is one call,
// [Grants.Missing], and the way to grants is a named profile from a [Set]:
//
//	set := profiles.Builtin()                    // or profiles.Load("my-profiles.yaml")
//	grants, err := set.Resolve("builder.review") // an unknown name is an error that lists the known ones
//	need := profiles.Require("scene.write")      // once, when the skill is declared
//	if p, missing := grants.Missing(need); missing {
//		// refuse: missing permission p
//	}
//
// Deny is the zero value throughout: the zero Grants holds nothing, the zero [Need] is met by nobody, and a skill
// that needs no permission has to say so in words, with [Anyone].
//
// Every value of this package is immutable and safe for concurrent use.
package profiles
