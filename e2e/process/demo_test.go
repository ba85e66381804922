package process

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const printed = `
Fornix demo
url: http://127.0.0.1:8390
sign-in admin: http://127.0.0.1:8390/signin/link?token=a
sign-in admin: http://127.0.0.1:8390/signin/link?token=b
sign-in compliance: http://127.0.0.1:8390/signin/link?token=c
sign-in person: http://127.0.0.1:8390/signin/link?token=d
agent key support: fx_northwind_x
password: admin@northwind.example secret

sign-in person of beifeng: http://127.0.0.1:8390/signin/link?token=e
`

var announced = Announcement{
	URL:        "http://127.0.0.1:8390",
	Admins:     []string{"http://127.0.0.1:8390/signin/link?token=a", "http://127.0.0.1:8390/signin/link?token=b"},
	Compliance: "http://127.0.0.1:8390/signin/link?token=c",
	Person:     "http://127.0.0.1:8390/signin/link?token=d",
	AgentKey:   "fx_northwind_x",
	Email:      "admin@northwind.example",
	Password:   "secret",
}

func TestAnnouncement(t *testing.T) {
	t.Parallel()
	t.Run("what the demo prints is read", func(t *testing.T) {
		t.Parallel()
		to := make(chan Announcement, 1)
		announce(strings.NewReader(printed), to)
		if diff := cmp.Diff(announced, <-to, cmp.AllowUnexported(Announcement{})); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("nothing is announced while a line is missing", func(t *testing.T) {
		t.Parallel()
		for _, missing := range []string{"url", "sign-in admin", "sign-in compliance", "sign-in person", "agent key support", "password"} {
			to := make(chan Announcement, 1)
			announce(strings.NewReader(strings.Replace(printed, missing+": ", "other: ", 1)), to)
			if len(to) > 0 {
				t.Errorf("announced without %q", missing)
			}
		}
	})
}

func TestStart(t *testing.T) {
	t.Parallel()
	t.Run("a started process is read and stopped", func(t *testing.T) {
		t.Parallel()
		d, err := Start("sh", "-c", "trap 'echo stopping; exit 0' TERM; echo hidden >&2; echo '"+printed+"'; while :; do sleep 0.05; done")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(announced, d.Announcement); diff != "" {
			t.Error(diff)
		}
		if err := d.Stop(); err != nil {
			t.Error(err)
		}
		for _, want := range []string{"stopping", "hidden"} {
			if !strings.Contains(d.Output(), want) {
				t.Errorf("output lacks %q:\n%s", want, d.Output())
			}
		}
	})
	t.Run("a process that ends early tells why", func(t *testing.T) {
		t.Parallel()
		_, err := Start("sh", "-c", "echo 'the port is taken' >&2; exit 1")
		if err == nil || !strings.Contains(err.Error(), "the port is taken") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("an exit code other than 0 is an error", func(t *testing.T) {
		t.Parallel()
		d, err := Start("sh", "-c", "trap 'exit 3' TERM; echo '"+printed+"'; while :; do sleep 0.05; done")
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Stop(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a killed process is gone with its children", func(t *testing.T) {
		t.Parallel()
		d, err := Start("sh", "-c", "echo '"+printed+"'; sleep 600")
		if err != nil {
			t.Fatal(err)
		}
		d.Kill()
		select {
		case <-d.done:
		default:
			t.Error("still running")
		}
	})
}
