package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// The protocols.
const (
	Limina   = "limina"
	Colyseus = "colyseus"
	SocketIO = "socketio"
)

// sphere is an area of interest.
type sphere struct {
	at     [3]float64
	radius float64
}

// Colyseus's message codes, and how it names its MessagePack strings.
const (
	colyseusJoin  = 10
	colyseusState = 14 // the whole state; 15 is a patch
	colyseusPatch = 15
)

// subscribe connects and subscribes to areas, all of them on one connection. Only Limina takes more than one.
func (r *run) subscribe(n int, areas []sphere) (*socket, error) {
	first := areas[0]
	asked := fmt.Sprintf(`{"c":[%.3f,%.3f,%.3f],"r":%.3f}`, first.at[0], first.at[1], first.at[2], first.radius)
	switch r.Protocol {
	case Colyseus:
		return r.joinColyseus(asked)
	case SocketIO:
		return r.joinSocketIO(asked)
	}
	s, err := r.initialize(n)
	if err != nil {
		return nil, err
	}
	for i, a := range areas {
		params := fmt.Sprintf(`"encoding":%q,"aoi":{"center":[%.3f,%.3f,%.3f],"radius":%.3f}`, r.Encoding, a.at[0], a.at[1], a.at[2], a.radius)
		if len(areas) > 1 {
			params += fmt.Sprintf(`,"subscription":"s%d","batch":true`, i)
		}
		if err := s.send(opText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"state/subscribe","params":{%s}}`, i, params)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// initialize connects to Limina and opens a session.
func (r *run) initialize(n int) (*socket, error) {
	s, err := dial(r.Address, "/")
	if err != nil {
		return nil, err
	}
	message := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"agentId":"agt_%d","sessionId":"ses_%d","profile":"builder.readWrite"}}`, n, n)
	if err := s.send(opText, message); err != nil {
		return nil, err
	}
	_, answer, _, err := s.receive()
	if err == nil && !bytes.Contains(answer, []byte(`"result"`)) {
		err = fmt.Errorf("initialize: %s", answer)
	}
	return s, err
}

func (r *run) joinColyseus(asked string) (*socket, error) {
	answer, err := http.Post("http://"+r.Address+"/matchmake/joinOrCreate/bench", "application/json", strings.NewReader(asked))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	var seat struct {
		SessionID, ProcessID, RoomID string
		Room                         struct{ ProcessID, RoomID string }
	}
	if err := json.Unmarshal(text, &seat); err != nil || seat.SessionID == "" {
		return nil, fmt.Errorf("no seat: %s", text)
	}
	if seat.RoomID == "" {
		seat.RoomID, seat.ProcessID = seat.Room.RoomID, seat.Room.ProcessID
	}
	s, err := dial(r.Address, "/"+seat.ProcessID+"/"+seat.RoomID+"?sessionId="+seat.SessionID)
	if err != nil {
		return nil, err
	}
	for {
		op, message, _, err := s.receive()
		if err != nil {
			return nil, err
		}
		if op == opBinary && len(message) > 0 && message[0] == colyseusJoin {
			return s, s.send(opBinary, []byte{colyseusJoin})
		}
	}
}

func (r *run) joinSocketIO(asked string) (*socket, error) {
	s, err := dial(r.Address, "/socket.io/?EIO=4&transport=websocket")
	if err != nil {
		return nil, err
	}
	if _, _, _, err := s.receive(); err != nil { // 0{…}: the transport is open
		return nil, err
	}
	if err := s.send(opText, []byte("40"+asked)); err != nil {
		return nil, err
	}
	_, message, _, err := s.receive()
	if err == nil && !bytes.HasPrefix(message, []byte("40")) {
		err = errors.New("socket.io: " + string(message))
	}
	return s, err
}
