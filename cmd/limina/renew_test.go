package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a certificate, good for so long, and its key.
func writeCertificate(t *testing.T, cert, key, name string, good time.Duration) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(good),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// opening is the program, run with flags by which its port is open.
type opening struct {
	t       *testing.T
	address string
	lines   chan string // of its log
	stop    context.CancelFunc
	code    chan int
}

func open(t *testing.T, flags ...string) *opening {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := &opening{t, "", make(chan string, 1000), stop, make(chan int, 1)}
	ready, out := io.Pipe()
	complaints, log := io.Pipe()
	go func() {
		p.code <- run(ctx, append([]string{"--mcp-http", "--port", "0"}, flags...), streams{strings.NewReader(""), out, log, func() {}})
		_ = log.Close()
	}()
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(complaints); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	line, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.address = strings.TrimSpace(line[strings.LastIndex(line, " ")+1:])
	return p
}

// told waits until the log says something.
func (p *opening) told(what string) {
	p.t.Helper()
	for line := range p.lines {
		if strings.Contains(line, what) {
			return
		}
	}
	p.t.Fatalf("the log does not say %q", what)
}

// end ends the program.
func (p *opening) end() {
	p.t.Helper()
	p.stop()
	p.told("the port is closed, and everybody has been seen off")
	if got := <-p.code; got != exitOK {
		p.t.Errorf("exit code %d", got)
	}
}

// What the port has read is read anew when it changes: tokens, who is banned, and the certificate. What cannot be read changes nothing.
func TestRenew(t *testing.T) {
	dir := t.TempDir()
	tokens, cert, key := filepath.Join(dir, "tokens.yaml"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	const ada, eve = "  - {token: ada-has-this-token, principal: ada, profiles: [builder.readWrite]}\n", "  - {token: eve-has-this-token, principal: eve, profiles: [builder.readWrite]}\n"
	write(t, tokens, "tokens:\n"+ada)
	writeCertificate(t, cert, key, "one.example.com", 30*24*time.Hour)
	p := open(t, "--token-file", tokens, "--require-token", "--tls-cert", cert, "--tls-key", key)
	p.told("INF the port speaks TLS until=")
	// ask posts an initialize; it returns its status, and for whom the certificate is that it sees.
	ask := func(name string) (status int, subject string) {
		t.Helper()
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
		r, err := http.NewRequest(http.MethodPost, "https://"+p.address+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+name+"-has-this-token")
		got, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		return got.StatusCode, got.TLS.PeerCertificates[0].Subject.CommonName
	}
	asked := func(name string, status int, subject string) {
		t.Helper()
		if s, c := ask(name); s != status || c != subject {
			t.Errorf("%s: %d, by the certificate of %s; want %d, %s", name, s, c, status, subject)
		}
		if status == http.StatusOK {
			p.told("INF session opened agent=" + name)
		} else {
			p.told("WRN refused: the token is not known here")
		}
	}
	asked("ada", 200, "one.example.com")
	asked("eve", 401, "one.example.com")

	write(t, tokens, "tokens:\n  - {token: short, principal: ada, profiles: [builder.readWrite]}\n")
	p.told("ERR the token file has changed, and cannot be read: what was read before goes on to count error=\"--token-file: ")
	asked("ada", 200, "one.example.com")

	write(t, tokens, "banned: [mallory]\ntokens:\n"+eve)
	p.told("INF the token file was read anew banned=1 new=1 revoked=1")
	asked("ada", 401, "one.example.com")
	asked("eve", 200, "one.example.com")

	writeCertificate(t, cert, key, "two.example.com", 24*time.Hour)
	p.told("WRN the certificate was read anew, and ends soon, or has ended until=")
	asked("eve", 200, "two.example.com")
	p.end()
}

// TestRenewProfiles: profiles and the tokens that name them are read anew together. What does not fit changes nothing, and says what.
func TestRenewProfiles(t *testing.T) {
	dir := t.TempDir()
	tokens, profiles := filepath.Join(dir, "tokens.yaml"), filepath.Join(dir, "profiles.yaml")
	token := func(name, profile string) string {
		return "  - {token: " + name + "-has-this-token, principal: " + name + ", profiles: [" + profile + "]}\n"
	}
	const mason = "profiles:\n  mason: {grants: [scene.read, scene.write]}\n"
	write(t, profiles, mason)
	write(t, tokens, "tokens:\n"+token("ada", "mason"))
	p := open(t, "--token-file", tokens, "--profiles", profiles, "--require-token")
	builds := func(name, want string) {
		t.Helper()
		var said strings.Builder
		run(t.Context(), []string{"--at", "http://" + p.address, "--token", name + "-has-this-token", "call", "scene.createEntity", "{}"}, streams{strings.NewReader(""), &said, &said, func() {}})
		if !strings.Contains(said.String(), want) {
			t.Errorf("%s builds: %s, want %s", name, said.String(), want)
		}
	}
	builds("ada", `"entity":"ent_0"`)

	write(t, profiles, "profiles:\n  mason: {grants: [scene.raed]}\n")
	p.told(`ERR the profile file or the token file has changed, and cannot be read: what was read before goes on to count error="--profiles: ` + profiles + `: profile \"mason\" grants \"scene.raed\", which no skill needs`)
	write(t, profiles, "profiles:\n  painter: {grants: [scene.read]}\n")
	p.told(`unknown profile \"mason\"`) // that the token file names
	builds("ada", `"entity":"ent_1"`)

	write(t, profiles, mason+"  painter: {grants: [scene.read]}\n")
	write(t, tokens, "tokens:\n"+token("ada", "mason")+token("eve", "painter"))
	p.told(`INF the token file was read anew banned=0 new=1 revoked=0`)
	builds("ada", `"entity":"ent_2"`)
	builds("eve", "missing permission: scene.write")

	write(t, profiles, "profiles:\n  mason: {grants: [scene.read]}\n  painter: {grants: [scene.read, scene.write]}\n")
	p.told(`INF the profile file was read anew changed=["mason","painter"]`)
	builds("ada", "missing permission: scene.write")
	builds("eve", `"entity":"ent_3"`)
	p.end()
}
