package complain_test

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/internal/complain"
)

func TestBy(t *testing.T) {
	var hosts strings.Builder
	for _, tt := range []struct {
		name            string
		log             zerolog.Logger
		host, otherwise bool
	}{
		{"none", zerolog.Logger{}, false, true},
		{"one that is silent", zerolog.Nop(), false, false},
		{"one of the host's", zerolog.New(&hosts), true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var w strings.Builder
			hosts.Reset()
			log := complain.By(tt.log, &w)
			log.Warn().Msg("it rains")
			if got := strings.Contains(w.String(), "it rains"); got != tt.otherwise {
				t.Errorf("it wrote %q", w.String())
			}
			if got := strings.Contains(hosts.String(), "it rains"); got != tt.host {
				t.Errorf("the host's has %q", hosts.String())
			}
		})
	}
	var w strings.Builder
	log := complain.By(zerolog.Logger{}, &w)
	log.Info().Msg("all is well")
	if w.Len() > 0 {
		t.Errorf("it wrote %q", w.String())
	}
}
