package main

import (
	"context"
	"net"
	"os"
	"strings"

	"github.com/rs/zerolog"
)

// notify tells whoever has started the process how it stands, as systemd has it (sd_notify), where he has asked for that by NOTIFY_SOCKET.
func notify(state string, log zerolog.Logger) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	if strings.HasPrefix(path, "@") { // it has no place among the files
		path = "\x00" + path[1:]
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err == nil {
		_, err = c.Write([]byte(state))
		_ = c.Close()
	}
	if err != nil {
		log.Warn().Err(err).Msg("NOTIFY_SOCKET: who has started this cannot be told that it is ready")
	}
}

// notifyReady tells it that the port is open, and when ctx ends that everybody is being seen off. What it returns ends that.
func notifyReady(ctx context.Context, log zerolog.Logger) (end func() bool) {
	notify("READY=1", log)
	return context.AfterFunc(ctx, func() { notify("STOPPING=1", log) })
}
