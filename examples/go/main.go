// Notes of organizations, on net/http. Gatehouse decides for each request who makes it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

var (
	gatehouseURL = setting("GATEHOUSE_URL", "http://localhost:4000")
	frontendURL  = setting("GATEHOUSE_FRONTEND_URL", gatehouseURL)
	port         = setting("PORT", "3000")
	ownURL       = "http://localhost:" + port
)

func setting(name, byDefault string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return byDefault
}

type note struct {
	Text   string `json:"text"`
	Author string `json:"author"`
}

// By the id of the organization that owns them; a real application has a database.
var (
	notes = map[string][]note{}
	mutex sync.Mutex
)

func serveNotes(response http.ResponseWriter, request *http.Request) {
	switch request.Method {
	case http.MethodGet:
		if caller, ok := allow(response, request, "notes:read"); ok {
			listNotes(response, caller)
		}
	case http.MethodPost:
		if caller, ok := allow(response, request, "notes:write"); ok {
			addNote(response, request, caller)
		}
	default:
		response.Header().Set("Allow", "GET, POST")
		response.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func listNotes(response http.ResponseWriter, caller identity) {
	mutex.Lock()
	list := append([]note{}, notes[caller.Membership.Organization.ID]...)
	mutex.Unlock()
	answer(response, http.StatusOK, map[string]any{"notes": list})
}

func addNote(response http.ResponseWriter, request *http.Request, caller identity) {
	var body struct{ Text *string }
	err := json.NewDecoder(http.MaxBytesReader(response, request.Body, 100_000)).Decode(&body)
	if err != nil || body.Text == nil {
		answer(response, http.StatusBadRequest, failure("BAD_USER_INPUT", "A note needs a text."))
		return
	}
	added := note{Text: *body.Text, Author: caller.Actor.Name}
	organization := caller.Membership.Organization.ID
	mutex.Lock()
	notes[organization] = append(notes[organization], added)
	mutex.Unlock()
	answer(response, http.StatusCreated, added)
}

func answer(response http.ResponseWriter, status int, body any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	_ = json.NewEncoder(response).Encode(body)
}

func failure(code, message string) any {
	return map[string]any{"error": map[string]string{"code": code, "message": message}}
}

func main() {
	http.HandleFunc("/notes", serveNotes)
	listener, err := net.Listen("tcp", "localhost:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Notes: %s/notes\n", ownURL)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
