package browser

import (
	"fmt"
	"testing"
)

func TestFill(t *testing.T) {
	t.Parallel()
	for claim, body := range map[string]string{
		"a full textarea is typed over":   `<label for="a">A</label><textarea id="a">old text</textarea>`,
		"an empty textarea is typed into": `<label for="a">A</label><textarea id="a"></textarea>`,
		"an e-mail field is typed over":   `<label for="a">A</label><input type="email" id="a" value="old@example.org">`,
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := chromium.Page(t, serve(t, body), Options{})
			p.Open("/")
			for _, text := range []string{"new", "新的", ""} {
				p.Fill("#a", text)
				if got := Ask[string](p, fmt.Sprintf(`document.querySelector(%q).value`, "#a")); got != text {
					t.Errorf("the field holds %q, want %q", got, text)
				}
			}
		})
	}
}

func TestTabWalkPassesDates(t *testing.T) {
	t.Parallel()
	p := chromium.Page(t, serve(t, `<label for="a">From</label><input type="date" id="a"><label for="b">To</label><input type="date" id="b"><button>Search</button>`), Options{})
	p.Open("/")
	if faults := p.TabWalk(); len(faults) > 0 {
		t.Errorf("faults %q", faults)
	}
}
