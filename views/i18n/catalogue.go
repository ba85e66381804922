package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

//go:embed zh-Hans/*.json en/*.json
var files embed.FS

// catalogues reads all embedded texts once. A broken file is a fault of the build
// that the tests catch, hence the panic.
var catalogues = sync.OnceValue(func() map[Locale]map[string]string {
	all, err := read(files)
	if err != nil {
		panic(err)
	}
	return all
})

func read(from fs.FS) (map[Locale]map[string]string, error) {
	all := map[Locale]map[string]string{}
	for _, l := range Locales() {
		names, err := fs.Glob(from, path.Join(string(l), "*.json"))
		if err != nil {
			return nil, fmt.Errorf("i18n: list %s: %w", l, err)
		}
		all[l] = map[string]string{}
		for _, name := range names {
			if err := readFile(from, name, all[l]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func readFile(from fs.FS, name string, into map[string]string) error {
	raw, err := fs.ReadFile(from, name)
	if err != nil {
		return fmt.Errorf("i18n: %w", err)
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return fmt.Errorf("i18n: %s: %w", name, err)
	}
	for key, text := range texts {
		if _, twice := into[key]; twice {
			return fmt.Errorf("i18n: %s: %s stands in another file too", name, key)
		}
		into[key] = text
	}
	return nil
}
