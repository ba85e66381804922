package demo

import "errors"

// layers tells where a kind of memory is kept unless the file says otherwise.
var layers = map[string]string{
	"hard_fact":       "semantic",
	"soft_preference": "semantic",
	"event_fragment":  "episodic",
	"procedure":       "procedural",
}

// confidences are taken where a file omits the figure. What was inferred has
// none, for an inference without its confidence is a fault.
var confidences = map[string]float64{SourceUser: 0.95, SourceManual: 0.9, SourceExternal: 0.85}

// checkWritten refuses a standing in a file other than pending: active and
// superseded follow from the rest, and could contradict it.
func (p Person) checkWritten(f faults) {
	for i, a := range p.Attributes {
		f.unless(a.Status == "" || a.Status == StatusPending, "attribute %d: status %q isn't written but derived", i, a.Status)
	}
	for i, m := range p.Memories {
		f.unless(m.Status == "" || m.Status == StatusPending, "memory %d: status %q isn't written but derived", i, m.Status)
	}
}

// complete fills in what the files may omit.
func (d *Data) complete() error {
	var all []error
	for i := range d.Tenants {
		t := &d.Tenants[i]
		ttl := make(map[string]int, len(t.Dictionary))
		for _, e := range t.Dictionary {
			ttl[e.Key] = e.TTLDays
		}
		for j := range t.People {
			t.People[j].checkWritten(faults{place: "demo: " + t.ID + ": " + t.People[j].ExternalID, all: &all})
			t.People[j].complete(ttl)
		}
	}
	return errors.Join(all...)
}

func (p *Person) complete(ttl map[string]int) {
	last := make(map[string]int)
	for i := range p.Attributes {
		a := &p.Attributes[i]
		provenance(&a.Source, &a.Confidence)
		if a.TTLDays == 0 {
			a.TTLDays = ttl[a.Key]
		}
		if a.Status != "" {
			continue
		}
		if before, ok := last[a.Key]; ok {
			p.Attributes[before].Status = StatusSuperseded
		}
		a.Status, last[a.Key] = StatusActive, i
	}

	replaced := make(map[string]bool)
	for _, m := range p.Memories {
		if m.Supersedes != "" {
			replaced[m.Supersedes] = true
		}
	}
	for i := range p.Memories {
		m := &p.Memories[i]
		provenance(&m.Source, &m.Confidence)
		if m.Layer == "" {
			m.Layer = layers[m.Kind]
		}
		switch {
		case m.Status != "":
		case m.Key != "" && replaced[m.Key]:
			m.Status = StatusSuperseded
		default:
			m.Status = StatusActive
		}
	}
}

func provenance(source *string, confidence *float64) {
	if *source == "" {
		*source = SourceUser
	}
	if *confidence == 0 {
		*confidence = confidences[*source]
	}
}
