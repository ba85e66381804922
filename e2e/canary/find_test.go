package canary_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fornix/e2e/canary"
)

// TestSeek shows the search going red on each disguise, so that its silence means
// something.
func TestSeek(t *testing.T) {
	t.Parallel()
	const english, chinese = "canaryqzkfwpx", "金丝雀甲乙丙丁"
	zipped := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		fmt.Fprint(w, s)
		w.Close()
		return b.String()
	}
	// Less than the checksum and the length at its end, and the last byte of the text.
	cut := func(s string) string { return s[:len(s)-10] }
	for claim, c := range map[string]struct {
		content, canary string
		found           bool
	}{
		"as it is":                        {"x" + english + "y", english, true},
		"Chinese as it is":                {"x" + chinese + "y", chinese, true},
		"in hexadecimal":                  {"x" + hex.EncodeToString([]byte("a"+chinese)), chinese, true},
		"in big hexadecimal":              {strings.ToUpper(hex.EncodeToString([]byte(english))), english, true},
		"in JSON escapes":                 {`\u91d1\u4e1d\u96c0\u7532\u4e59\u4e19\u4e01`, chinese, true},
		"in base64 at the start":          {base64.StdEncoding.EncodeToString([]byte(english + " and more")), english, true},
		"in base64 one byte in":           {base64.StdEncoding.EncodeToString([]byte("1" + english + " and more")), english, true},
		"in base64 two bytes in":          {base64.RawURLEncoding.EncodeToString([]byte("12" + chinese + "?")), chinese, true},
		"in gzip":                         {"before" + zipped("a text with "+english) + "after", english, true},
		"in base64 in gzip":               {zipped(base64.StdEncoding.EncodeToString([]byte(english + "!"))), english, true},
		"in gzip cut short":               {cut(zipped(english + " and so on")), english, true},
		"in UTF-16":                       {"c\x00a\x00n\x00a\x00r\x00y\x00q\x00z\x00k\x00f\x00w\x00p\x00x\x00", english, true},
		"another canary isn't it":         {"canaryqzkfwpy", english, false},
		"noise is none":                   {strings.Repeat("\x1f\x8b\x08noise", 50), english, false},
		"an empty file has none":          {"", english, false},
		"a magic number at the very end":  {"\x1f\x8b\x08", english, false},
		"half of it is none":              {english[:8], english, false},
		"half of its hexadecimal is none": {hex.EncodeToString([]byte(english[:8])), english, false},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			if hits := canary.Seek("here", []byte(c.content), []string{"otherzzzzzz", c.canary}); (len(hits) > 0) != c.found {
				t.Errorf("hits %v, want some: %t", hits, c.found)
			}
		})
	}
	t.Run("in a folder", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"a.db": "nothing", "deep/b.db-wal": "x" + english} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		hits, files, err := canary.SeekFolder(dir, []string{english})
		if err != nil || files != 2 || len(hits) != 1 || hits[0].Where != filepath.Join("deep", "b.db-wal") {
			t.Errorf("hits %v in %d files (%v), want one in deep/b.db-wal", hits, files, err)
		}
	})
}
