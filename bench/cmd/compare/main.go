// Command compare measures Limina, its peers and the floors in interleaved rounds on this machine
// and prints, as Markdown, which goals are reached. bench/run builds and installs what it needs.
//
//	compare -bin DIR [-npm DIR] [-rounds 5] [-sync-rounds 2] [-only WORD] [-scale 1] [-json FILE]
//
// A round measures every contender once, odd rounds in the opposite order; a ratio is taken within
// a round and the median over the rounds counts, so that the machine's other work weighs on both
// sides. Everything runs over pipes and loopback; only processes that it started are ended.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var p paths
	flag.StringVar(&p.bin, "bin", "", "folder of the built programs")
	flag.StringVar(&p.npm, "npm", "", "folder of the installed TypeScript servers; empty: leave them out")
	flag.Float64Var(&p.scale, "scale", 1, "share of the usual calls per round")
	rounds := flag.Int("rounds", 5, "rounds")
	syncRounds := flag.Int("sync-rounds", 2, "of them for state sync: each takes about four minutes")
	only := flag.String("only", "", "measure only contenders whose group or name contains this")
	raw := flag.String("json", "", "write every sample to this file")
	flag.Parse()
	if _, err := os.Stat(filepath.Join(p.bin, "send")); err == nil {
		p.cc = true
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cs := slices.DeleteFunc(p.contenders(), func(c contender) bool {
		return !strings.Contains(c.group+", "+c.name, *only)
	})
	ss, err := measure(ctx, cs, *rounds, *syncRounds)
	if err == nil && *raw != "" {
		err = write(*raw, cs, ss)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	printGoals(os.Stdout, ss)
	printFigures(os.Stdout, cs, ss)
}

// measure runs the rounds. A contender that fails is named and left out of the rest: the others'
// figures are worth having.
func measure(ctx context.Context, cs []contender, rounds, syncRounds int) (samples, error) {
	ss := samples{}
	cs = slices.Clone(cs)
	for round := range rounds {
		if round > 0 {
			cs = slices.DeleteFunc(cs, func(c contender) bool { return c.once || c.sync && round >= syncRounds })
			slices.Reverse(cs)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
		var failed []key
		for i, c := range cs {
			fmt.Fprintf(os.Stderr, "\r%d of %d ", i+1, len(cs))
			s, err := c.measure(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				fmt.Fprintf(os.Stderr, "left out: %s, %s: %v\n", c.group, c.name, err)
				failed = append(failed, c.key)
				continue
			}
			ss[c.key] = append(ss[c.key], s)
		}
		cs = slices.DeleteFunc(cs, func(c contender) bool { return slices.Contains(failed, c.key) })
		for _, k := range failed {
			delete(ss, k)
		}
	}
	return ss, nil
}

// write stores every sample as lines of JSON.
func write(file string, cs []contender, ss samples) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	out := json.NewEncoder(f)
	for _, c := range cs {
		err = out.Encode(map[string]any{"group": c.group, "name": c.name, "rounds": ss[c.key]})
		if err != nil {
			break
		}
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
