// Package agentskills serves Agent Skills over MCP: directories of instructions, each with a SKILL.md,
// that a host puts before its model when they are wanted. An agent skill says how to work with a server;
// it is no [registry.Skill], which is something that the server can do.
//
// [Load] reads a file system, an embedded one mostly. The set that it returns has a resource for each
// file, to be registered, and what the extension io.modelcontextprotocol/skills (SEP-2640) wants to
// know besides: the entry of each skill, with the digest and the size of all its files, and what
// stands in each directory.
//
//	set, err := agentskills.Load(files, "skill://")
//	err = reg.Resources().Register(set.Resources()...)
//
// The format of skills is that of https://agentskills.io/specification.
package agentskills
