// Command wsecho is the floor of WebSocket: gorilla's server writing back each text frame.
//
//	wsecho ADDR
package main

import (
	"bytes"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/gorilla/websocket"
)

func main() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(l, http.HandlerFunc(serve)))
}

func serve(w http.ResponseWriter, r *http.Request) {
	var upgrader websocket.Upgrader
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	var buf bytes.Buffer
	for {
		buf.Reset()
		if err := echo(conn, &buf); err != nil {
			return
		}
	}
}

func echo(conn *websocket.Conn, buf *bytes.Buffer) error {
	_, r, err := conn.NextReader()
	if err != nil {
		return err
	}
	if _, err := buf.ReadFrom(r); err != nil {
		return err
	}
	return conn.WriteMessage(websocket.TextMessage, buf.Bytes())
}
