package rapier

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ErrDamaged is in what [Runtime].Told is told where something that was kept was not what was written there any more: a disk that has lost something of that may have lost more. It is compiled anew,
// and kept again.
var ErrDamaged = errors.New("rapier: what was kept of the compiled module is damaged")

// sumSuffix is what the name of a file has behind it that holds the sum of that one: its CRC-32C in eight hexadecimal digits. wazero itself looks at a part of what it reads, and runs it: what is
// wrong in the rest ends the process, or does what nobody has written.
const sumSuffix = ".crc32c"

// mend removes from a cache what is not what was written there. It returns what that was, "" for nothing; the error says why something damaged is there still.
// What has no sum, of an earlier program, is left as it is.
func mend(dir string) (damaged string, err error) {
	sums, err := filepath.Glob(filepath.Join(globbed(dir), "*", "*"+sumSuffix))
	if err != nil {
		return "", err
	}
	for _, sum := range sums {
		path := strings.TrimSuffix(sum, sumSuffix)
		want, err := os.ReadFile(sum)
		if err != nil {
			continue // it tells nothing
		}
		got, err := sumOf(path)
		if err != nil || got == string(want) { // what cannot be read is for wazero to say
			continue
		}
		damaged = path
		if err := errors.Join(os.Remove(path), os.Remove(sum)); err != nil {
			return damaged, err
		}
	}
	return damaged, nil
}

// note writes the sums of what has none in a cache. If that fails they are written by the next process.
func note(dir string) {
	files, err := filepath.Glob(filepath.Join(globbed(dir), "*", "*"))
	if err != nil {
		return
	}
	for _, path := range files {
		if strings.Contains(filepath.Base(path), ".") { // a sum, or what is being written
			continue
		}
		if _, err := os.Lstat(path + sumSuffix); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		sum, err := sumOf(path)
		if err != nil {
			continue
		}
		draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+sumSuffix+".*")
		if err != nil {
			return
		}
		_, err = draft.WriteString(sum)
		if err = errors.Join(err, draft.Close()); err == nil {
			err = os.Rename(draft.Name(), path+sumSuffix)
		}
		if err != nil {
			_ = os.Remove(draft.Name())
		}
	}
}

// globbed is a folder's path for filepath.Glob, to which some characters say more.
func globbed(dir string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(dir)
}

// sumOf returns the sum of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}
