package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// remote is a server that runs, which limina call calls.
type remote struct {
	url     string // of MCP over HTTP
	client  *http.Client
	token   string
	profile string // "" is what the server gives
}

// remoteOf reads --at.
func remoteOf(at, token, profile string) (*remote, error) {
	r := &remote{client: http.DefaultClient, token: token, profile: profile}
	if path, ok := strings.CutPrefix(at, "unix:"); ok {
		r.url = "http://localhost/mcp"
		r.client = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}}}
		return r, nil
	}
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, usageError{fmt.Sprintf("--at: want the address of a server, as https://world.example.com, http://127.0.0.1:8787 or unix:/run/limina.sock, got %q", at)}
	}
	if !strings.HasSuffix(u.Path, "/mcp") {
		u = u.JoinPath("mcp")
	}
	r.url = u.String()
	return r, nil
}

// The version of MCP that a call is made at: one request is all there is of it, and no session.
const callVersion = "2026-07-28"

// call calls a skill, and returns what it gives.
func (r *remote) call(ctx context.Context, skill string, input json.RawMessage) (json.RawMessage, error) {
	if !json.Valid(input) {
		return nil, errors.New("invalid_input: the input is no JSON")
	}
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{
			"name": "skills_call", "arguments": map[string]any{"name": skill, "input": input},
			"_meta": map[string]any{
				"io.modelcontextprotocol/protocolVersion":    callVersion,
				"io.modelcontextprotocol/clientCapabilities": map[string]any{},
				"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "limina-call", "version": version()},
			},
		},
	})
	if err != nil {
		return nil, err
	}
	at := r.url
	if r.profile != "" {
		at += "?profile=" + url.QueryEscape(r.profile)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "MCP-Protocol-Version": callVersion, "Mcp-Method": "tools/call", "Mcp-Name": "skills_call",
	} {
		q.Header.Set(name, value)
	}
	if r.token != "" {
		q.Header.Set("Authorization", "Bearer "+r.token)
	}
	answer, err := r.client.Do(q)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return read(answer.Status, text)
}

// read takes the answer of a server apart.
func read(status string, text []byte) (json.RawMessage, error) {
	var said struct {
		Result *struct {
			Structured json.RawMessage `json:"structuredContent"`
			Content    []struct {
				Text string `json:"text"`
			} `json:"content"`
			IsError bool `json:"isError"`
		} `json:"result"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	err := json.Unmarshal(text, &said)
	switch {
	case err != nil || said.Result == nil && said.Error == nil:
		why := status
		if line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n"); line != "" {
			why += ": " + line
		}
		if strings.HasPrefix(status, "401") {
			why += " (its token is the variable LIMINA_TOKEN)"
		}
		return nil, errors.New("--at: the server answers " + why)
	case said.Error != nil:
		return nil, errors.New(said.Error.Message)
	case said.Result.IsError && len(said.Result.Content) > 0:
		return nil, errors.New(said.Result.Content[0].Text)
	case said.Result.IsError:
		return nil, errors.New("the call failed")
	}
	if said.Result.Structured == nil && len(said.Result.Content) > 0 { // where there is a picture, too
		return json.RawMessage(said.Result.Content[0].Text), nil
	}
	return said.Result.Structured, nil
}

// callAt is limina call, of a server that runs.
func (c *config) callAt(ctx context.Context, skill, input string, std streams) error {
	profile := ""
	if f, ok := c.set.GetFlag("profile"); ok && f.IsSet() {
		profile = c.profile
	}
	r, err := remoteOf(c.at, c.token, profile)
	if err != nil {
		return err
	}
	if c.world != "" {
		return usageError{"--at and --world: the world is that of the server, leave one of them out"}
	}
	std.heed()
	out, err := r.call(ctx, skill, json.RawMessage(cmp.Or(input, "{}")))
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s\n", out)
	return nil
}
