// Package cmd owns the command line: it reads arguments, calls web and prints what
// comes back. It decides nothing.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"fornix/web"
)

type commands struct {
	Demo    demoCommand    `cmd:"" help:"Start with invented people, on SQLite and file keys: no set-up."`
	Serve   serveCommand   `cmd:"" help:"Serve the installation in the data folder."`
	Migrate migrateCommand `cmd:"" help:"Make the installation or bring its schema up to date; with --tenant, add a tenant."`
	Doctor  doctorCommand  `cmd:"" help:"Say whether the installation is sound and what to do where it isn't."`
	Import  importCommand  `cmd:"" help:"Take in conversations from files, by the same way as POST /messages."`
	Keys    keysCommand    `cmd:"" help:"Print the public key that receipts are signed with."`
}

// program is what commands are run with.
type program struct {
	ctx context.Context
	cfg web.Config
	out io.Writer
}

func (p program) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(p.out, format, args...)
	return err
}

// exit is how kong's way out is told from a panic of ours.
type exit int

// Main runs the command line and returns the exit code: 0, 1 for a fault, 80 for
// arguments that make no sense.
func Main(args []string, env func(string) string, out, errs io.Writer) (code int) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case exit:
			code = int(fault)
		default:
			panic(fault)
		}
	}()
	var c commands
	parser, err := kong.New(&c, kong.Name("fornix"), kong.Description("Governed memory of AI agents."),
		kong.UsageOnError(), kong.Writers(out, errs), kong.Exit(func(code int) { panic(exit(code)) }))
	if err != nil {
		return fail(errs, err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		parser.FatalIfErrorf(err)
	}
	cfg, err := web.FromEnv(env)
	if err != nil {
		return fail(errs, err)
	}
	cfg.Log = slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: cfg.LogLevel}))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := parsed.Run(&program{ctx: ctx, cfg: cfg, out: out}); err != nil {
		return fail(errs, err)
	}
	return 0
}

// fail prints a fault as one line where it is one that we know.
func fail(errs io.Writer, err error) int {
	var known *web.StartError
	if errors.As(err, &known) {
		err = known
	}
	_, _ = fmt.Fprintln(errs, "fornix:", err) // nobody is left to tell
	return 1
}
