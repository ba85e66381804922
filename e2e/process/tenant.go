package process

import (
	"fmt"
	"strings"
)

// Of is the demo as the named tenant's people have it: the lines that name the tenant
// ("sign-in person of beifeng: …") in place of the first tenant's.
func (d *Demo) Of(tenant string) (*Demo, error) {
	of := Announcement{URL: d.URL}
	for line := range strings.Lines(d.Output()) {
		if name, value, found := strings.Cut(line, ": "); found {
			if name, found = strings.CutSuffix(name, " of "+tenant); found {
				of.take(name + ": " + value)
			}
		}
	}
	if !of.complete() {
		return nil, fmt.Errorf("process: the demo doesn't announce all of tenant %s", tenant)
	}
	theirs := *d
	theirs.Announcement = of
	return &theirs, nil
}
