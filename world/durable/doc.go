// Package durable keeps a world in a folder of the disk: what is in it outlives the process.
//
// The folder holds one file, world.jsonl, and a lock that lets one process in at a time. Each line of the file is the
// CRC-32C (Castagnoli) of the rest of it, as eight hexadecimal digits, a space, and JSON: first what it is, then, line by line, what has
// become of the world, each time all of it that has changed since ([world.Tracker]). So what is written follows from what
// changes, not from how large the world is. Now and then the file is written anew, beside the old one, which it then takes the place of.
//
// What it promises: when [Store.Sync], [Store.Await] or [Store.Close] return nil, all that was committed before is on the
// disk. If the process is killed, or the machine stops, what was committed in the last tenth of a second may be missing (in the last
// second, and as long as writing takes, while over a megabyte a second changes), and nothing
// else: what is read is the world as it was after one of its commits. A line that was not written to its end
// is dropped. A file that is damaged elsewhere is refused, and left as it is. With [Options.Ahead] something else, such as the
// trace of who did what, is on the disk before what it tells of; each line says how much of that there was, so that it is seen when it lacks its end.
package durable
