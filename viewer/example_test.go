package viewer_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/limina-mcp/limina/viewer"
)

// A host serves the page where it likes; package server does so at /view, if it is given one.
func Example() {
	mux := http.NewServeMux()
	mux.Handle("/look", viewer.Handler())

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/look", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"), w.Body.Len() == len(viewer.Page()))
	// Output:
	// 200 text/html; charset=utf-8 true
}
