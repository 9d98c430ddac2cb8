package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/skills/save"
)

// savesKey returns the key that saves are sealed with: that of the file of --save-key, which is read now; by default that of the user's
// folder of settings, which is read when a save is sealed or opened first. A file that is not there is made, with a new key. Where there can
// be none by default, the key lives as long as the process.
func (c *config) savesKey(log zerolog.Logger) (func() ([]byte, error), error) {
	if c.saveKey != "" {
		key, err := keyOf(c.saveKey)
		if err != nil {
			return nil, fmt.Errorf("--save-key: %w", err)
		}
		return func() ([]byte, error) { return key, nil }, nil
	}
	return sync.OnceValues(func() ([]byte, error) {
		key, err := usersKey()
		if err == nil {
			return key, nil
		}
		log.Warn().Err(err).Msg("saves are good as long as this process lives: there is no file for their key; --save-key names one")
		return save.NewKey(), nil
	}), nil
}

// usersKey returns the key in the user's folder of settings.
func usersKey() ([]byte, error) {
	settings, err := os.UserConfigDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(settings, "limina")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return keyOf(filepath.Join(dir, "save.key"))
}

// keyOf returns the key in a file, which it makes if there is none.
func keyOf(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeKey(file); err == nil || errors.Is(err, fs.ErrExist) { // somebody else made it
			text, err = os.ReadFile(file)
		}
	}
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != save.KeySize {
		return nil, fmt.Errorf("%s must hold %d hexadecimal digits, and nothing else", file, 2*save.KeySize)
	}
	return key, nil
}

// makeKey makes a file with a new key that only the user can read. Whoever looks sees all of it or nothing.
func makeKey(file string) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".save-key-*")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%x\n", save.NewKey())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Link(f.Name(), file)
	}
	return errors.Join(err, os.Remove(f.Name()))
}
