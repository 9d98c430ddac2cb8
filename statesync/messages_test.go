package statesync_test

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// TestMessages pins the messages of a small story, to the letter, as docs/state-sync.md explains them.
func TestMessages(t *testing.T) {
	const world0 = `"world":{"time":{"hour":12},"weather":{"kind":"clear","intensity":0},"timeScale":1,"spawn":[0,0,0],` +
		`"lighting":{"ambientColor":4210784,"ambientIntensity":1.2,"directionalColor":16777215,"directionalIntensity":3,"direction":[5,9,6],"castShadow":false,"shadowMapSize":2048,"shadowCameraExtent":20,"shadowCameraNear":0.5,"shadowCameraFar":120,"shadowBias":-0.0008},"world.sky":{"kind":"air"},` +
		`"panels":{"1":"hello"}},"tables":["panels"],"epoch":"e1"`
	head := func(method string) string {
		return `{"jsonrpc":"2.0","method":"state/` + method + `","params":{"tick":`
	}
	for name, want := range map[string][]string{
		"json": {
			head("snapshot") + `1,"step":0,"entities":[{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"name":"door"}],"aoi":{"center":[0,0,0],"radius":10},` + world0 + `}}`,
			head("delta") + `2,"step":0,"causedBy":[1],"changes":[{"id":"ent_0","eid":0,"pos":[2,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"name":"door"}],"removed":[]}}`,
			head("delta") + `4,"step":0,"causedBy":[2,3],"changes":[{"id":"ent_2","eid":2,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[2,2,2],"parent":"ent_1"}],"removed":["ent_0"]}}`,
			head("delta") + `5,"step":0,"causedBy":[4],"changes":[],"removed":[],"world":{"timeScale":2,"panels":{"1":null,"2":"bye"}},"events":[{"kind":"bell","entity":"ent_2","at":[0,0,0.5],"payload":{"n":1}}]}}`,
			head("delta") + `5,"step":0,"causedBy":[],"changes":[{"id":"ent_1","eid":1,"pos":[20,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}],"removed":[],"aoi":{}}}`,
		},
		"packed": {
			head("snapshot") + `1,"step":0,"precision":6,"entered":[[0,0,64,128,192,3757571583,1,{"name":"door"}]],"aoi":{"center":[0,0,0],"radius":10},` + world0 + `}}`,
			`{"causedBy":[1],"moved":[1,64,0,0]}`,
			`{"tick":4,"causedBy":[2,3],"gone":[0],"entered":[[1,2,0,0,0,3757571583,2,{"parent":"ent_1"}]]}`,
			`{"causedBy":[4],"world":{"timeScale":2,"panels":{"1":null,"2":"bye"}},"events":[{"kind":"bell","entity":"ent_2","at":[0,0,0.5],"payload":{"n":1}}]}`,
			`{"tick":5,"entered":[[0,1,1280,0,0]],"aoi":{}}`,
		},
		"binary": {
			"a1" + "06" + "01" + "01046e616d65" + "06" + "43" + "00" + "8001800280" + "03" + "02" + "06" + "22646f6f7222" + "00" + "00",
			"10" + "01" + "0101" + "04400000" + "00",
			"70" + "02" + "020201" + "0106706172656e74" + "0100" + "0a" + "63" + "02" + "000000" + "00000040" + "04" + "0722656e745f3122" + "0000",
			"90" + "01" + "0104" + "00",
			"80" + "00" + "06" + "03" + "01" + "801400" + "00" + "00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := world.New(world.Config{})
			panels := world.NewTable[int, string](w, "panels", 0)
			f := statesync.New(w, statesync.Config{Epoch: "e1"}).Connect(nil)
			intent := uint64(0)
			do := func(fn func(tx *world.Tx) error) {
				c := &call{}
				if _, err := world.Do(w, c, func(tx *world.Tx) (int, error) { return 0, fn(tx) }); err != nil {
					t.Fatal(err)
				}
				intent++
				c.tx.(*world.Tx).Commit(intent)
			}
			var door, far world.ID
			update(t, w, func(tx *world.Tx) (err error) {
				door, err = tx.Create(world.Spec{Name: "door", Position: world.Vec3{1, 2, 3}})
				if err != nil {
					return err
				}
				far, err = tx.Create(world.Spec{Position: world.Vec3{20, 0, 0}})
				if err != nil {
					return err
				}
				return panels.Set(tx, 1, "hello")
			})
			var messages []string
			note := func(frame []byte) {
				if name == "binary" {
					text := hex.EncodeToString(frame)
					messages = append(messages, text[:min(len(text), len(want[len(messages)]))]) // without the JSON at the end
					return
				}
				messages = append(messages, string(frame))
			}
			pull := func() {
				frame, _ := f.Append(nil)
				note(frame)
			}
			frame, v, err := f.Subscribe(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 10), Encoding: statesync.Encoding(name)})
			if err != nil {
				t.Fatal(err)
			}
			note(frame)
			v.Start()
			do(func(tx *world.Tx) error { return tx.SetPosition(door, world.Vec3{2, 2, 3}) })
			pull()
			do(func(tx *world.Tx) error { tx.Destroy(door); return nil })
			do(func(tx *world.Tx) error {
				_, err := tx.Create(world.Spec{Parent: far, Position: world.Vec3{-20, 0, 0}, Scale: world.Vec3{2, 2, 2}})
				return err
			})
			pull()
			do(func(tx *world.Tx) error {
				panels.Delete(tx, 1)
				if err := panels.Set(tx, 2, "bye"); err != nil {
					return err
				}
				if err := w.Environment.TimeScale.Set(tx, 2); err != nil {
					return err
				}
				if err := tx.Moment(world.Moment{Kind: "bell", Entity: far + 1, Placed: true, At: world.Vec3{0, 0, 0.5}, Payload: json.RawMessage(`{"n":1}`)}); err != nil {
					return err
				}
				return tx.Moment(world.Moment{Kind: "unheard", Placed: true, At: world.Vec3{11, 0, 0}})
			})
			pull()
			if _, err := v.Declare(nil, statesync.Whole()); err != nil {
				t.Fatal(err)
			}
			v.Start()
			pull()
			if diff := gocmp.Diff(want, messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}
