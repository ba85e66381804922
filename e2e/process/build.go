package process

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds the program into dir and returns its path.
func Build(dir string) (string, error) {
	program := filepath.Join(dir, "fornix")
	if out, err := exec.Command("go", "build", "-o", program, "fornix").CombinedOutput(); err != nil {
		return "", fmt.Errorf("process: go build: %w\n%s", err, out)
	}
	return program, nil
}
