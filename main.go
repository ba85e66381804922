// Fornix is the governed memory of AI agents.
package main

import (
	"os"

	"fornix/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Getenv, os.Stdout, os.Stderr)) }
