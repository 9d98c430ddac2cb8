// Command peer-mcpgo serves the measured tool with mark3labs/mcp-go.
//
//	peer-mcpgo [-validate]                over stdio
//	peer-mcpgo [-validate] -http ADDR     over Streamable HTTP
package main

import (
	"flag"
	"log"
	"net/http"

	"github.com/mark3labs/mcp-go/server"

	"github.com/limina-mcp/limina/bench/peers/mcpgo"
)

func main() {
	validate := flag.Bool("validate", false, "check inputs against their schema")
	addr := flag.String("http", "", "serve HTTP on this address")
	flag.Parse()
	s := mcpgo.New(*validate)
	if *addr == "" {
		log.Fatal(server.ServeStdio(s))
	}
	log.Fatal(http.ListenAndServe(*addr, server.NewStreamableHTTPServer(s)))
}
