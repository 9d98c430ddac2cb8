package stdio_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/limina-mcp/limina/transport/stdio"
)

func Example() {
	in := strings.NewReader("{\"id\":1}\r\n{\"id\":2,\"padding\":\"..........\"}\n{\"id\":3}\n")
	conn := stdio.New(in, os.Stdout, stdio.Options{Limit: 20})
	var answers []byte
	for {
		line, err := conn.Next()
		var long *stdio.TooLongError
		if errors.As(err, &long) {
			fmt.Println(err)
			continue
		}
		if err != nil {
			break
		}
		start := len(answers)
		answers = conn.Seal(append(answers, line...), start)
		if !conn.Buffered() { // one write for all that one read brought
			_ = conn.Write(answers)
			answers = answers[:0]
		}
	}
	_ = conn.Write(answers)
	// Output:
	// line longer than the limit of 20 bytes
	// {"id":1}
	// {"id":3}
}
