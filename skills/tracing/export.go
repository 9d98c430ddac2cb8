package tracing

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/trace"
)

// ExportIn is the input of trace.export.
type ExportIn struct {
	Name FileName `json:"name" jsonschema_description:"Name of the file, without a folder. A file of this name is replaced."`
}

// ExportOut is the output of trace.export.
type ExportOut struct {
	Name   FileName `json:"name" jsonschema_description:"Name of the file, in the directory that the operator has given."`
	Events int      `json:"events" jsonschema_description:"How many events it holds."`
	Bytes  int64    `json:"bytes" jsonschema_description:"How large it is."`
}

// Export is trace.export. It writes into dir and nowhere else, whatever links are there.
func Export(dir string) registry.Skill {
	return registry.Define(registry.Spec[ExportIn, ExportOut]{
		Name:  "trace.export",
		Title: "Export the trace",
		Description: "Write the log of events to a file on the server, one JSON event a line, each chained to the one before it by sha256, so that " +
			"a change can be found later. Only the operator can say where such files go." +
			` Example: {"name":"monday"}`,
		Category:    "system",
		Permissions: []profiles.Permission{readTrace},
		Effect:      registry.Writes,
		Slow:        true,
		Outward:     true,
		Handle: func(c *registry.Call, in ExportIn) (ExportOut, error) {
			if dir == "" {
				return ExportOut{}, registry.Failf("the server has no directory for exports: its operator gives one with --trace-dir DIR")
			}
			events, size, err := export(log(c), dir, string(in.Name))
			return ExportOut{Name: in.Name, Events: events, Bytes: size}, err
		},
	})
}

// export writes the log to a file of the given name in dir: all of it, or none.
func export(l *trace.Log, dir, name string) (events int, size int64, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, 0, fmt.Errorf("the directory for exports: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = files.Replace(root, files.File{Name: name, Write: func(w io.Writer) error {
		events, size, err = l.Export(w)
		return err
	}})
	return events, size, err
}
