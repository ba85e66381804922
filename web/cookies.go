package web

import (
	"net/http"
	"time"
)

// Cookies of staff and of people. They are two, so that somebody who is both can't
// use the one as the other.
const (
	staffCookie  = "fornix_staff"
	personCookie = "fornix_me"
)

// cookieName binds a cookie to this very host where HTTPS allows it.
func (c Config) cookieName(name string) string {
	if c.secure() {
		return "__Host-" + name
	}
	return name
}

func (c Config) setCookie(w http.ResponseWriter, name, value string, ttl time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: c.cookieName(name), Value: value, Path: "/", MaxAge: int(ttl / time.Second),
		HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (c Config) dropCookie(w http.ResponseWriter, name string) {
	http.SetCookie(w, &http.Cookie{
		Name: c.cookieName(name), Path: "/", MaxAge: -1, HttpOnly: true, Secure: c.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (c Config) cookie(r *http.Request, name string) string {
	cookie, err := r.Cookie(c.cookieName(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}
