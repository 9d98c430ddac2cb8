package world

import (
	"encoding/json"
	"reflect"
	"testing"
)

// However an entity is written, it is read as encoding/json reads it.
func FuzzImageEntity(f *testing.F) {
	for _, text := range []string{
		`{"pos":[1,-2.5,3e-9],"rot":[0,0,0,1],"scale":[1,1,1]}`,
		`{"parent":"ent_3","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"parts":{"shape":{"kind":"box","size":[2,2,2],"color":0},"name":"a \"b\\","tags":["}",","]}}`,
		`{ "pos" : [1,2,3], "rot":[0,0,0,1],"scale":[1,1,1]}`,
		`{"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"parts":{}}`,
		`{"pos":[1,2],"rot":[0,0,0,1,5],"scale":[1,1,1e999]}`,
		`{"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"parts":{"a\u0062":1,"a" :2,"a":3,"b":null, "c":4}}`,
		`{"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"parts":{"a":1},"parts":{"b":2}}`,
		`{"parent":"tree","pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1]}`,
		`{"parent":"ent_1","parent":"ent_2"}`,
		`{"pos":[0,0,0],"rot":[0,0,0,0],"scale":[0,0,0],"parts":{"` + "\xc3" + `":[]}}`,
		`null`, `{}`, `[1]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		var want struct {
			snapshotEntity
			Parts map[string]json.RawMessage `json:"parts"`
		}
		wrong := json.Unmarshal(text, &want)
		got := imageEntity{snapshotEntity{ID: 7, Parent: 8, Scale: Vec3{9, 9, 9}}, []imagePart{{[]byte("before"), nil}}}
		if err := got.read(text); (err == nil) != (wrong == nil) {
			t.Fatalf("%s is read with %v, by encoding/json with %v", text, err, wrong)
		} else if err != nil {
			return
		}
		parts := map[string]any{}
		for _, p := range got.parts {
			parts[string(p.name)] = value(t, p.value)
		}
		others := map[string]any{}
		for name, text := range want.Parts {
			others[name] = value(t, text)
		}
		if got.snapshotEntity != want.snapshotEntity || !reflect.DeepEqual(parts, others) {
			t.Fatalf("%s is read as %v, %v, by encoding/json as %v, %v", text, got.snapshotEntity, parts, want.snapshotEntity, others)
		}
	})
}

func value(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
