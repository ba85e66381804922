// Package canary seeks personal values where they must not stand: it puts hundreds of
// unique values into a running Fornix, reads each back, and then looks for them in
// every file of the data folder and in the log, as they are and in the disguises that a
// careless program leaves: base64, hexadecimal, JSON escapes, gzip.
package canary

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// Hit is a place where a canary stands.
type Hit struct {
	Where  string // a file, or the log
	Form   string // how it stands there
	Canary string
}

func (h Hit) String() string { return fmt.Sprintf("%s: %s (%s)", h.Where, h.Canary, h.Form) }

type form struct {
	name   string
	needle []byte
}

// forms are the ways in which a canary could stand in a file.
func forms(canary string) []form {
	raw := []byte(canary)
	all := []form{
		{"raw", raw},
		{"hex", []byte(hex.EncodeToString(raw))},
		{"HEX", []byte(strings.ToUpper(hex.EncodeToString(raw)))},
		{`\u`, []byte(escaped(canary, `\u%04x`))},
		{`\U`, []byte(escaped(canary, `\u%04X`))},
		{"UTF-16LE", utf16LE(canary)},
	}
	// JSON escapes only what isn't ASCII.
	if mixed := escapedBeyondASCII(canary); mixed != canary {
		all = append(all, form{`\u beyond ASCII`, []byte(mixed)})
	}
	for shift := range 3 {
		all = append(all,
			form{"base64", inBase64(base64.StdEncoding, raw, shift)},
			form{"base64url", inBase64(base64.URLEncoding, raw, shift)})
	}
	return all
}

// inBase64 is what of the base64 of any text doesn't depend on what stands before and
// after the canary, when it begins shift bytes into a group of three.
func inBase64(e *base64.Encoding, raw []byte, shift int) []byte {
	padded := append(make([]byte, shift), raw...)
	padded = padded[:len(padded)/3*3]
	skip := 0
	if shift > 0 {
		skip = 4
	}
	return []byte(e.EncodeToString(padded)[skip:])
}

func escaped(s, format string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, format, unit)
	}
	return b.String()
}

func escapedBeyondASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(escaped(string(r), `\u%04x`))
		}
	}
	return b.String()
}

func utf16LE(s string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

// Seek returns every hit of the canaries in the content, also inside gzip streams.
func Seek(where string, content []byte, canaries []string) []Hit {
	hits := seekPlain(where, content, canaries)
	for _, inner := range gunzipped(content) {
		hits = append(hits, seekPlain(where+" (gzip)", inner, canaries)...)
	}
	return hits
}

func seekPlain(where string, content []byte, canaries []string) []Hit {
	var hits []Hit
	for _, canary := range canaries {
		for _, f := range forms(canary) {
			if bytes.Contains(content, f.needle) {
				hits = append(hits, Hit{where, f.name, canary})
			}
		}
	}
	return hits
}

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

const gzipHeader = 10

// gunzipped returns what it can read of each gzip stream. A stream cut short, as one
// that spans two pages of a database, gives what stands before the cut.
func gunzipped(content []byte) [][]byte {
	const enough = 16 << 20
	var all [][]byte
	for at := 0; ; {
		next := bytes.Index(content[at:], gzipMagic)
		if next < 0 {
			return all
		}
		at += next
		if start := at + gzipHeader; start < len(content) {
			// Past the header by hand: a reader for whole files would refuse the rest for
			// a damaged end.
			inner, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(content[start:])), enough))
			if len(inner) > 0 {
				all = append(all, inner)
			}
		}
		at += len(gzipMagic)
	}
}

// SeekFolder returns every hit in the files under dir and the number of files seen.
func SeekFolder(dir string, canaries []string) (hits []Hit, files int, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		hits = append(hits, Seek(name, content, canaries)...)
		return nil
	})
	return hits, files, err
}
