package process

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	t.Parallel()
	lines := strings.ReplaceAll(strings.ReplaceAll(printed, ": ", " of beifeng: "), "northwind", "beifeng")
	output := &transcript{}
	if _, err := output.Write([]byte(printed + lines)); err != nil {
		t.Fatal(err)
	}
	d := &Demo{Announcement: announced, output: output}
	theirs, err := d.Of("beifeng")
	if err != nil {
		t.Fatal(err)
	}
	want := announced
	want.AgentKey, want.Email = "fx_beifeng_x", "admin@beifeng.example"
	if diff := cmp.Diff(want, theirs.Announcement); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(announced, d.Announcement); diff != "" {
		t.Errorf("the first tenant's lines changed:\n%s", diff)
	}
	if _, err := d.Of("nobody"); err == nil {
		t.Error("a tenant that isn't announced is no error")
	}
}
