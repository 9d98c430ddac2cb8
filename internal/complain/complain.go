// Package complain gives a log to hosts that have named none, so that what goes wrong in a first program is said somewhere.
package complain

import (
	"io"
	"reflect"

	"github.com/rs/zerolog"
)

// By returns the log, or, if it is the zero one, which a host has that said nothing of it, one that writes warnings and errors to w.
// [zerolog.Nop] is not the zero one: it stays silent.
func By(log zerolog.Logger, w io.Writer) zerolog.Logger {
	return Or(log, zerolog.New(w).Level(zerolog.WarnLevel).With().Timestamp().Logger())
}

// Or returns the log, or, if it is the zero one, the other.
func Or(log, other zerolog.Logger) zerolog.Logger {
	if reflect.ValueOf(log).IsZero() {
		return other
	}
	return log
}
