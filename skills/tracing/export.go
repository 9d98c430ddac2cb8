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
	Name files.Name `json:"name" jsonschema_description:"Name of the file, without a folder. A file of this name is replaced."`
}

// ExportOut is the output of trace.export.
type ExportOut struct {
	Name    files.Name `json:"name" jsonschema_description:"Name of the file, in the directory that the operator has given."`
	Events  int        `json:"events" jsonschema_description:"How many events it holds."`
	Bytes   int64      `json:"bytes" jsonschema_description:"How large it is."`
	Earlier int64      `json:"earlier,omitempty" jsonschema_description:"How many events came before those, which the log has no more. Where the server keeps its world (--world DIR) the operator finds them in the files of DIR/trace."`
}

// Export is trace.export. It writes into dir and nowhere else, whatever links are there.
func Export(dir string) registry.Skill {
	return registry.Define(registry.Spec[ExportIn, ExportOut]{
		Name:  "trace.export",
		Title: "Export the trace",
		Description: "Write the log of events, as many of the newest as it has in memory, to a file on the server, one JSON event a line, each chained to the one before it by sha256, so that " +
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
			out, err := export(log(c), dir, string(in.Name))
			out.Name = in.Name
			return out, err
		},
	})
}

// export writes the log to a file of the given name in dir: all of it, or none.
func export(l *trace.Log, dir, name string) (out ExportOut, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return out, fmt.Errorf("the directory for exports: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = files.Replace(root, files.File{Name: name, Write: func(w io.Writer) error {
		all, err := l.Export(w)
		out.Events, out.Bytes, out.Earlier = all.Events, all.Bytes, int64(max(all.First, 1)-1)
		return err
	}})
	return out, err
}
