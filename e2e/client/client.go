// Package client speaks to a running Fornix from outside: the API as an agent does, and
// the pages as a browser without scripts does. It imports none of Fornix's packages, so
// that it sees what a customer's program sees.
package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// answerWithin bounds one call. It is no measure of speed: it ends a call to a process
// that hangs.
const answerWithin = 30 * time.Second

// Agent calls the API with a key.
type Agent struct {
	URL, Key string
	HTTP     *http.Client // nil: one with a bound of 30 s
}

// Call sends the body as JSON, if there is one, and decodes an answer below 300 into
// into, if that isn't nil. It returns the status; the error is of the wire or of the
// JSON. An answer of 300 and more is an error with its text.
func (a Agent) Call(method, path string, body, into any) (int, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, fmt.Errorf("client: %s %s: %w", method, path, err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, a.URL+"/api/v1"+path, sent)
	if err != nil {
		return 0, fmt.Errorf("client: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+a.Key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	caller := a.HTTP
	if caller == nil {
		caller = &http.Client{Timeout: answerWithin}
	}
	answer, err := caller.Do(request)
	if err != nil {
		return 0, fmt.Errorf("client: %s %s: %w", method, path, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return answer.StatusCode, fmt.Errorf("client: %s %s: %w", method, path, err)
	}
	if answer.StatusCode >= 300 {
		return answer.StatusCode, fmt.Errorf("client: %s %s answers %d: %s", method, path, answer.StatusCode, text)
	}
	if into == nil {
		return answer.StatusCode, nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return answer.StatusCode, fmt.Errorf("client: %s %s: %w", method, path, err)
	}
	return answer.StatusCode, nil
}

// Visitor opens pages and sends forms, with cookies of their own.
type Visitor struct {
	url  string
	http *http.Client
}

// NewVisitor is somebody who isn't signed in.
func NewVisitor(url string) (*Visitor, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return &Visitor{url: strings.TrimSuffix(url, "/"), http: &http.Client{Jar: jar, Timeout: answerWithin}}, nil
}

// SignIn uses up a sign-in link, as the button on its page does.
func (v *Visitor) SignIn(link string) error {
	address, err := url.Parse(link)
	if err != nil {
		return fmt.Errorf("client: sign in: %w", err)
	}
	status, _, err := v.Post("/signin/link", url.Values{"token": {address.Query().Get("token")}})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("client: a sign-in link answers %d", status)
	}
	return nil
}

// Get opens a page and follows where it leads.
func (v *Visitor) Get(path string) (status int, page string, err error) {
	request, err := http.NewRequest(http.MethodGet, v.url+path, nil)
	if err != nil {
		return 0, "", fmt.Errorf("client: %w", err)
	}
	return v.send(request)
}

// Post sends a form and follows where it leads.
func (v *Visitor) Post(path string, form url.Values) (status int, page string, err error) {
	request, err := http.NewRequest(http.MethodPost, v.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", fmt.Errorf("client: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	// The server takes no form from another page's origin; browsers send both.
	request.Header.Set("Origin", v.url)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return v.send(request)
}

func (v *Visitor) send(request *http.Request) (int, string, error) {
	answer, err := v.http.Do(request)
	if err != nil {
		// The address may hold the token of a link: it stays out of the message.
		return 0, "", fmt.Errorf("client: %s %s failed", request.Method, request.URL.Path)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return answer.StatusCode, "", fmt.Errorf("client: read %s: %w", request.URL.Path, err)
	}
	return answer.StatusCode, string(text), nil
}
