package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Chromium sends "Origin: null" with the forms of a page that says no-referrer.
func TestHiddenOrigin(t *testing.T) {
	t.Parallel()
	for site, want := range map[string]int{"same-origin": http.StatusNoContent, "cross-site": http.StatusForbidden, "same-site": http.StatusForbidden, "": http.StatusForbidden} {
		next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/signin", nil)
		r.Header.Set("Origin", "null")
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		w := httptest.NewRecorder()
		Config{}.sameOrigin(next).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("site %q: status %d, want %d", site, w.Code, want)
		}
	}
}
