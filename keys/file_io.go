package keys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// draftPrefix begins the names of files that aren't finished. They all stand in
// the store's own folder, where the next start finds what a killed one left.
const draftPrefix = ".draft-"

// writeNew writes a file that isn't there yet (ErrExists), whole or not at all,
// and makes it durable. The draft is written into drafts, on the same file system.
func writeNew(drafts, path string, content []byte) error {
	draft, err := writeDraft(drafts, content)
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
	draft, err := writeDraft(filepath.Dir(path), content)
	if err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		_ = os.Remove(draft)
		return err
	}
	return syncDir(filepath.Dir(path))
}

func writeDraft(dir string, content []byte) (string, error) {
	f, err := os.CreateTemp(dir, draftPrefix+"*") // mode 0600
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

// removeDrafts removes what a killed process left unfinished. It overwrites
// nothing: a draft may be the second name of a secret that is in use.
func removeDrafts(dir string) error {
	drafts, err := filepath.Glob(filepath.Join(dir, draftPrefix+"*"))
	if err != nil {
		return err
	}
	for _, draft := range drafts {
		if err := os.Remove(draft); err != nil {
			return err
		}
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
