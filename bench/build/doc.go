// Package build is a benchmark for agents that build: twelve tasks, each a world to begin with, a prompt,
// a check of what has become of the world, and an oracle.
//
// An oracle is a script that solves its task through MCP, with the official Go SDK's client, in a stated
// number of calls: it shows that the task can be solved, and how little it takes. A model is measured by the
// same prompt, the same tools and the same check.
//
// Checks look at the world's state, and work out for themselves what they want to know: by their own
// arithmetic on the boxes that stand there, or by letting simulated time pass. They use none of the skills
// that oracles call. Each refuses the world that its task begins with, and one that is nearly right.
package build
