package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/viewer"
)

// servePort runs the world and a server, until ctx ends and everybody has been seen off.
func servePort(ctx context.Context, c *config, std streams) error {
	o, err := c.open(std)
	if err != nil {
		return err
	}
	defer func() { _ = o.server.Close() }()
	return o.engine.Run(ctx, func(ctx context.Context) error {
		defer o.files.begin(ctx)()
		o.log.Info().Str("version", version()).Str("address", o.server.Address()).Str("world", c.world).Bool("tls", o.files.cert != nil).Bool("tokens", c.tokens != nil || c.oauth != nil).Msg("the port is open")
		c.port.ready(std.out, o.server.Address())
		defer notifyReady(ctx, o.log)()
		err := o.server.Run(ctx)
		o.log.Info().Msg("the port is closed, and everybody has been seen off")
		return err
	})
}

// serveBoth runs the world, one MCP connection on standard input and output, and a server, until standard input ends.
func serveBoth(ctx context.Context, c *config, std streams) error {
	o, err := c.open(std)
	if err != nil {
		return err
	}
	defer func() { _ = o.server.Close() }()
	return o.engine.Run(ctx, func(ctx context.Context) error {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer o.files.begin(ctx)()
		served := make(chan error, 1)
		go func() {
			served <- o.server.Run(ctx)
		}()
		err := speak(ctx, o.engine, std)
		end()
		return errors.Join(err, <-served)
	})
}

// opened is a world whose port is open.
type opened struct {
	engine *engine.Engine
	server *server.Server // whoever opens it closes it
	files  *renewals      // to be looked after as long as the port is open
	log    zerolog.Logger
}

// open builds what the flags describe, opens the port, and says where the world is seen.
func (c *config) open(std streams) (*opened, error) {
	std.heed()
	o := &opened{log: c.logger(std.err)}
	if err := o.listen(c); err != nil {
		return nil, err
	}
	err := c.keep(o.engine, std)
	if err == nil {
		err = c.limit(o.engine)
	}
	if err != nil {
		_ = o.server.Close()
		return nil, err
	}
	if at := o.server.ViewerURL(); at != "" {
		o.log.Info().Str("url", at).Msg("the world is seen in a browser")
		o.engine.Mcp.Watch(at)
		o.engine.Mcp.Play(at + "?play")
	}
	return o, nil
}

// listen builds the world and opens the port.
func (o *opened) listen(c *config) error {
	address, err := c.port.address()
	if err != nil {
		return err
	}
	if err := c.port.check(); err != nil {
		return err
	}
	mode, err := c.port.socketMode()
	if err != nil {
		return err
	}
	cert, err := c.port.certificate()
	if err != nil {
		return err
	}
	if o.engine, err = c.engine(o.log); err != nil {
		return err
	}
	o.renew(c, cert)
	config := server.Config{
		Core: o.engine.Mcp, Address: address, SocketMode: mode, TLS: cert.config(), Tokens: c.tokens, OAuth: c.oauth, RequireTokens: c.port.strict, Origins: c.port.origins, PublicURL: c.port.public, Rate: c.port.calls(),
		Viewer: viewer.Handler(), Version: version(), Logger: o.log,
		Figures: func(m *metrics.Text) {
			o.engine.Figures(m)
			o.files.figures(m)
		},
	}
	o.server, err = server.Listen(config)
	if host, _, split := net.SplitHostPort(address); c.stdio && split == nil && errors.Is(err, syscall.EADDRINUSE) {
		// Another client has started limina, too: that is no reason for this one to be without it.
		o.log.Warn().Str("address", address).Msg("the port is taken, perhaps by another limina: another one is used")
		config.Address = net.JoinHostPort(host, "0")
		o.server, err = server.Listen(config)
	}
	return notOpened(err, address)
}

// renew says which files are to be looked after.
func (o *opened) renew(c *config, cert *keyPair) {
	o.files = &renewals{log: o.log}
	if cert != nil {
		cert.tell(o.log, "the port speaks TLS")
		o.files.renewCertificate(cert)
	}
	o.files.renewRights(c, o.engine)
}

// notOpened says in words of the command line why the port could not be opened; nil stays nil.
func notOpened(err error, address string) error {
	if exposed := (*server.ExposedError)(nil); errors.As(err, &exposed) {
		return usageError{fmt.Sprintf("--listen: others could reach %s: say who may come in with --token-file or --oauth-issuer", exposed.Address)}
	}
	if public := (*server.PublicURLError)(nil); errors.As(err, &public) {
		return usageError{"--public-url: " + public.Error()}
	}
	if origin := (*server.OriginError)(nil); errors.As(err, &origin) {
		return usageError{"--allow-origin: " + origin.Error()}
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		instead := "--port, or 0 for any that is free"
		if strings.HasPrefix(address, "unix:") {
			instead = "path in --listen"
		}
		return fmt.Errorf("%w: another program, perhaps another limina, has it: take another %s", err, instead)
	}
	return err
}
