// Who makes a request: asks /auth/identity of Gatehouse.
package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// identity has what this example needs of the answer of /auth/identity.
type identity struct {
	Actor struct {
		Name string
	}
	Membership struct {
		Organization struct {
			ID string
		}
	}
}

// refusal says that Gatehouse refuses the request, or does not answer (503): then it is not known who asks.
type refusal struct {
	status int
	body   any
}

var unavailable = &refusal{
	http.StatusServiceUnavailable,
	failure("UNAVAILABLE", "The service is briefly unavailable. Try again in a moment."),
}

var client = http.Client{
	Timeout: 5 * time.Second,
	// A credential is sent to Gatehouse and to no other place.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// allow answers a request that is refused. A browser that navigates is sent to the sign-in page.
func allow(response http.ResponseWriter, request *http.Request, scope string) (identity, bool) {
	caller, refused := askIdentity(request, scope)
	switch {
	case refused == nil:
		return caller, true
	case refused.status == http.StatusUnauthorized && isNavigation(request):
		page := url.QueryEscape(ownURL + request.URL.RequestURI())
		response.Header().Set("Location", frontendURL+"/signin?redirect="+page)
		response.WriteHeader(http.StatusFound)
	case refused.status == http.StatusUnauthorized:
		response.Header().Set("WWW-Authenticate", "Bearer")
		fallthrough
	default:
		answer(response, refused.status, refused.body)
	}
	return identity{}, false
}

// askIdentity says who makes a request, if they hold a scope in an organization. It asks for each request: nothing may
// be cached.
func askIdentity(request *http.Request, scope string) (identity, *refusal) {
	method := request.Method
	if request.Header.Get("Upgrade") != "" {
		// An upgrade may change something later, so that it is no reading request.
		method = http.MethodConnect
	}
	parameters := url.Values{
		"method": {method}, "client_ip": {clientIP(request)}, "scope": {scope}, "membership": {"required"},
	}
	address := gatehouseURL + "/auth/identity?" + parameters.Encode()
	question, err := http.NewRequestWithContext(request.Context(), http.MethodGet, address, nil)
	if err != nil {
		return identity{}, unavailable
	}
	question.Header = credentials(request)
	response, err := client.Do(question)
	if err != nil {
		return identity{}, unavailable
	}
	defer response.Body.Close()
	return read(response)
}

// clientIP is the client's address, which Gatehouse believes from a peer that its TRUST_PROXY names.
func clientIP(request *http.Request) string {
	host, _, err := net.SplitHostPort(request.RemoteAddr)
	// The peer of a forwarded request is a proxy: where you run one, take the address that it names.
	if err != nil || request.Header.Get("X-Forwarded-For") != "" {
		return "unknown"
	}
	return host
}

// credentials are Authorization; without it the cookie auth_access alone, with Origin and Referer, which decide on the
// cookie.
func credentials(request *http.Request) http.Header {
	handedOn := http.Header{}
	hand := func(name string) {
		if values := request.Header.Values(name); len(values) > 0 {
			handedOn.Set(name, strings.Join(values, ", "))
		}
	}
	if hand("Authorization"); len(handedOn) > 0 {
		return handedOn
	}
	var access []string
	for _, pair := range strings.Split(strings.Join(request.Header.Values("Cookie"), ";"), ";") {
		// Every copy: Gatehouse refuses a repeated one.
		if name, _, _ := strings.Cut(pair, "="); strings.TrimSpace(name) == "auth_access" {
			access = append(access, strings.TrimSpace(pair))
		}
	}
	if len(access) > 0 {
		handedOn.Set("Cookie", strings.Join(access, "; "))
		hand("Origin")
		hand("Referer")
	}
	return handedOn
}

// read takes only the documented refusals for one: anything else says nothing of the caller.
func read(response *http.Response) (identity, *refusal) {
	decoder := json.NewDecoder(response.Body)
	var caller identity
	var refused struct {
		Error map[string]any `json:"error"`
	}
	switch response.StatusCode {
	case http.StatusOK:
		if decoder.Decode(&caller) == nil && caller.Membership.Organization.ID != "" {
			return caller, nil
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		if decoder.Decode(&refused) == nil && refused.Error["code"] != nil {
			return identity{}, &refusal{response.StatusCode, refused}
		}
	}
	return identity{}, unavailable
}

// isNavigation is whether a browser opens a page, in contrast to a script, which can handle a 401.
func isNavigation(request *http.Request) bool {
	header := request.Header
	_, hasBearer := header["Authorization"]
	return request.Method == http.MethodGet && !hasBearer && strings.Contains(header.Get("Accept"), "text/html")
}
