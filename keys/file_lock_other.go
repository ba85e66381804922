//go:build !unix

package keys

import "os"

// lockExclusive only opens the file: see to it that one process runs.
func lockExclusive(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
