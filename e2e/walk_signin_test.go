package e2e_test

import (
	"net/http"
	"testing"
)

// TestPasswordWalk signs an admin in by password: a wrong one is refused without saying
// which part was wrong, the right one leads to where the admin wanted to go.
func TestPasswordWalk(t *testing.T) {
	t.Parallel()
	demo := startDemo(t)
	for _, look := range looks() {
		t.Run(nameOf(look), func(t *testing.T) {
			w := newWalker(t, demo, look)
			w.open("/signin")
			w.check("sign in")
			w.tabs("sign in")

			w.SkipBrowserChecks()
			w.refused("main form button", http.StatusUnprocessableEntity)
			w.summary("email")
			w.summary("password")
			w.check("sign in empty")

			w.Fill("[name=email]", w.demo.Email)
			w.Fill("[name=password]", "not the password")
			w.refused("main form button", http.StatusUnprocessableEntity)
			if !w.Has("main [role=alert]") {
				t.Error("a wrong password isn't said to be one")
			}
			if w.Attribute("[name=password]", "value") != "" {
				t.Error("the page sends the password back")
			}
			w.check("sign in wrong")

			w.Fill("[name=email]", w.demo.Email)
			w.Fill("[name=password]", w.demo.Password)
			w.lead("main form button", http.StatusOK)
			w.arrivedAt("/admin")
		})
	}
}
