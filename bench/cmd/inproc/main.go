// Command inproc measures one subject of package inproc, in a process of its own so that one
// subject's garbage is not another's, and prints a line of JSON.
//
//	inproc [-n CALLS] SUBJECT
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/limina-mcp/limina/bench/inproc"
)

func main() {
	n := flag.Int("n", 20_000, "calls")
	flag.Parse()
	s, err := inproc.Find(flag.Arg(0))
	if err == nil {
		err = measure(s, *n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "inproc:", err)
		os.Exit(1)
	}
}

func measure(s inproc.Subject, n int) error {
	r, err := s.Measure(n)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}
