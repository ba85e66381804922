// Package static owns the style sheets, scripts and icons of the pages, embedded,
// and serves them under addresses that change with their content, so that a
// browser may keep them for ever.
//
// The sheets in css/ are joined to one, css/app.css: layers.css first, which sets
// the order of the cascade layers, then the others by name; each wraps its rules
// in its layer. Scripts are small ES modules that js/app.js imports.
//
// The package imports the standard library alone.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed css/*.css js/*.js icons/*.svg
var files embed.FS

// Prefix is where Handler is to be mounted.
const Prefix = "/static/"

// sheet is the name of the joined style sheet; first is what it begins with.
const (
	sheet = "css/app.css"
	first = "css/layers.css"
)

type tree struct {
	hash  string
	files map[string][]byte
}

// assets reads the embedded files once. Reading what was embedded can't fail, so
// a failure is a fault of the build.
var assets = sync.OnceValue(func() tree {
	t, err := read(files)
	if err != nil {
		panic(err)
	}
	return t
})

func read(from fs.FS) (tree, error) {
	t := tree{files: map[string][]byte{}}
	sum := sha256.New()
	var sheets [][]byte
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%d %s %d ", len(name), name, len(body))
		sum.Write(body)
		switch {
		case name == first:
			sheets = append([][]byte{body}, sheets...)
		case path.Ext(name) == ".css":
			sheets = append(sheets, body)
		default:
			t.files[name] = body
		}
		return nil
	})
	if err != nil {
		return tree{}, fmt.Errorf("static: %w", err)
	}
	t.files[sheet] = bytes.Join(sheets, []byte("\n"))
	t.hash = hex.EncodeToString(sum.Sum(nil))[:16]
	return t, nil
}

// Path returns the address of an asset, such as Path("css/app.css"). An unknown
// name is a fault of the program and panics; the gallery test of the pages calls
// every use.
func Path(name string) string {
	t := assets()
	if _, ok := t.files[name]; !ok {
		panic("static: there is no " + name)
	}
	return Prefix + t.hash + "/" + name
}

// Sheet returns the joined style sheet, for pages that must hold it themselves.
func Sheet() []byte { return bytes.Clone(assets().files[sheet]) }

// Handler serves GET and HEAD of /static/<hash>/<name> with a lifetime of a year.
// A hash of another build answers 404 and not the present file, since a cache
// would keep the wrong one for a year.
func Handler() http.Handler {
	t := assets()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		name, ok := strings.CutPrefix(r.URL.Path, Prefix+t.hash+"/")
		body, found := t.files[name]
		if !ok || !found {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Type", contentType(name))
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		if r.Method == http.MethodGet {
			// The client may hang up; there is nobody left to tell.
			_, _ = w.Write(body)
		}
	})
}

// contentType doesn't ask the machine's MIME tables for what we serve, since they
// differ between machines and browsers refuse a module of the wrong type.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// Export writes all assets below the folder under the addresses that Path gives,
// for pages that are looked at without our server.
func Export(folder string) error {
	for name, body := range assets().files {
		file := filepath.Join(folder, filepath.FromSlash(Path(name)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("static: export: %w", err)
		}
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return fmt.Errorf("static: export: %w", err)
		}
	}
	return nil
}
