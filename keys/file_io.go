package keys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// tenantForm keeps a tenant's name from leaving its folder.
var tenantForm = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// writeNew writes a file that isn't there yet (ErrExists), whole or not at all,
// and makes it durable.
func writeNew(path string, content []byte) error {
	draft, err := writeDraft(path, content)
	if err != nil {
		return err
	}
	defer os.Remove(draft)
	// A link, unlike a rename, never replaces what stands there.
	if err := os.Link(draft, path); errors.Is(err, fs.ErrExist) {
		return ErrExists
	} else if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// replace writes a file in place of the one that is there, whole or not at all.
func replace(path string, content []byte) error {
	draft, err := writeDraft(path, content)
	if err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		_ = os.Remove(draft)
		return err
	}
	return syncDir(filepath.Dir(path))
}

func writeDraft(path string, content []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".draft-*") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// shred overwrites a file with zeros before it removes it. On a file system that
// copies on write the old blocks may live on; the master key still seals them.
func shred(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(make([]byte, info.Size()), 0)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
