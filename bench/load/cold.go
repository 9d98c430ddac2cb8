package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limina-mcp/limina/bench/call"
)

// Cold starts command runs times, one after the other, over stdio. P50 and P95 of the result are
// the time from starting the process to its answer to initialize; RSS is the median then.
func Cold(ctx context.Context, runs int, env []string, command ...string) (Result, error) {
	var took []time.Duration
	var rss []int64
	for range runs {
		t, m, err := cold(ctx, env, command)
		if err != nil {
			return Result{}, err
		}
		took, rss = append(took, t), append(rss, m)
	}
	slices.Sort(took)
	slices.Sort(rss)
	return Result{
		Calls: runs, P50: Quantile(took, .5), P95: Quantile(took, .95), P99: Quantile(took, .99), RSS: rss[len(rss)/2],
	}, nil
}

func cold(ctx context.Context, env, command []string) (time.Duration, int64, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	begun := time.Now()
	s, err := start(ctx, env, command)
	if err != nil {
		return 0, 0, err
	}
	defer s.stop()
	if _, err := io.WriteString(s.in, call.Initialize+"\n"); err != nil {
		return 0, 0, err
	}
	answer, err := bufio.NewReader(s.out).ReadSlice('\n')
	took := time.Since(begun)
	if err != nil || !bytes.Contains(answer, []byte(`"result"`)) {
		return 0, 0, fmt.Errorf("initialize was answered %q (%w)", answer, err)
	}
	rss, err := s.rss()
	return took, rss, err
}
