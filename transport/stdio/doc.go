// Package stdio frames messages as lines: one message per line, ended by "\n" or "\r\n", over a
// pair of byte streams. It is how one program serves another that started it.
//
//	conn := stdio.New(os.Stdin, os.Stdout, stdio.Options{})
//	err := core.Serve(ctx, conn) // *mcp.Mcp
//
// Standard output then belongs to the protocol alone: logs go to standard error. The package knows
// nothing of what the lines say. A line that is longer than the limit is skipped to its end and
// reported as a [TooLongError]; the lines after it are read as if nothing had been.
package stdio
