package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

// With Sync whoever is killed, at whatever moment, has what was answered before; without it he has not yet.
func TestWhatIsAnsweredIsKept(t *testing.T) {
	for _, on := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			base := t.TempDir()
			dir := filepath.Join(base, "town")
			e := town(t, dir, engine.Config{Sync: on})
			err := e.Run(t.Context(), func(ctx context.Context) error {
				from, say := io.Pipe()
				hear, out := io.Pipe()
				served := make(chan error, 1)
				go func() {
					served <- e.Mcp.Serve(ctx, stdio.New(from, out, stdio.Options{}))
					_ = out.Close()
				}()
				answers := bufio.NewScanner(hear)
				ask := func(text string) {
					_, _ = io.WriteString(say, text+"\n")
					if !answers.Scan() || !strings.Contains(answers.Text(), `"result"`) {
						t.Fatalf("%s is answered %q, %v", text, answers.Text(), answers.Err())
					}
				}
				ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ann","sessionId":"s","profile":"builder.readWrite"}}`)
				for n := 1; n <= 5; n++ {
					ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"scene.createEntity","arguments":{"name":"lamp %d"}}}`, n, n))
					to := filepath.Join(base, fmt.Sprint(n))
					if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
						return err
					}
					entities := 0
					killed := town(t, to, engine.Config{})
					killed.World.View(func(v *world.View) { entities = v.Len() })
					if err := killed.Close(); err != nil {
						return err
					}
					if want := map[bool]int{true: n, false: 0}[on]; entities != want {
						t.Errorf("with Sync %v, killed after %d answers, there are %d entities, want %d", on, n, entities, want)
					}
					if events, _ := told(t, to); on && in(events, "scene.createEntity") != n {
						t.Errorf("killed after %d answers the trace has %d of the calls", n, in(events, "scene.createEntity"))
					}
				}
				_ = say.Close()
				return <-served
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
