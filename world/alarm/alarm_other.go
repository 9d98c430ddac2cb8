//go:build !linux

package alarm

import (
	"errors"
	"time"
)

// Alarm is for Linux only.
type Alarm struct{}

// New fails: there is none here.
func New() (*Alarm, error) { return nil, errors.ErrUnsupported }

// Wait implements [world.Alarm].
func (*Alarm) Wait(time.Duration) {}

// Ring implements [world.Alarm].
func (*Alarm) Ring() {}
