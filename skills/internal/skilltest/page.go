package skilltest

import (
	"encoding/json"
	"os"
	"testing"
)

// Page holds what the page of package viewer is tested against, a file of JSON in viewer/web/test, to samples of what the server says. With UPDATE in the
// environment it writes the file.
func Page(t testing.TB, file string, samples any) {
	t.Helper()
	file = "../../viewer/web/test/" + file
	text, err := json.MarshalIndent(samples, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != string(text) {
		t.Errorf("%s is another one (%v): UPDATE=1 go test -run %s writes it, and the test of its name beside it says whether the page agrees", file, err, t.Name())
	}
}
