package server

import "time"

// SetWall has o go by another clock on the wall, before it is used.
func (o *OAuth) SetWall(wall func() time.Time) { o.wall = wall }
