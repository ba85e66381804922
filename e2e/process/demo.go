package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startWithin bounds the wait for a process to print its lines. It is no measure of
// speed: the first start of a demo fills its database.
const startWithin = 10 * time.Minute

// stopWithin bounds the wait for a process that was asked to stop.
const stopWithin = 30 * time.Second

// Announcement is what a started demo prints.
type Announcement struct {
	URL        string
	Admins     []string // single-use sign-in links, at least two
	Compliance string
	Person     string
	AgentKey   string // of the agent "support" in the person's tenant
	Email      string // of an admin who may also sign in by password
	Password   string
}

// complete says whether all has been printed that a walk needs.
func (a Announcement) complete() bool {
	return a.URL != "" && len(a.Admins) >= 2 && a.Compliance != "" && a.Person != "" && a.AgentKey != "" && a.Password != ""
}

// take reads one line of output; what announces nothing is passed over.
func (a *Announcement) take(line string) {
	name, value, found := strings.Cut(strings.TrimSpace(line), ": ")
	if !found {
		return
	}
	switch value = strings.TrimSpace(value); name {
	case "url":
		a.URL = value
	case "sign-in admin":
		a.Admins = append(a.Admins, value)
	case "sign-in compliance":
		a.Compliance = value
	case "sign-in person":
		a.Person = value
	case "agent key support":
		a.AgentKey = value
	case "password":
		a.Email, a.Password, _ = strings.Cut(value, " ")
	}
}

// Demo is a running demo.
type Demo struct {
	Announcement
	command *exec.Cmd
	output  *transcript
	done    chan struct{}
	err     error // how it ended; read after done
}

// Settings says where a process runs and with what over the environment of the tests.
type Settings struct {
	Dir string   // working directory; empty: the tests' own
	Env []string // NAME=value
}

// Start runs the command and returns once it has announced itself. What it printed
// stands in the error if it ends, or stays silent, before that.
func Start(name string, args ...string) (*Demo, error) {
	return Settings{}.Start(name, args...)
}

// Start is as the function Start, with the settings.
func (s Settings) Start(name string, args ...string) (*Demo, error) {
	reader, writer := io.Pipe()
	d := &Demo{command: exec.Command(name, args...), output: &transcript{}, done: make(chan struct{})}
	d.command.Dir = s.Dir
	d.command.Env = append(os.Environ(), s.Env...)
	d.command.Stdout = io.MultiWriter(d.output, writer)
	d.command.Stderr = d.output
	// A group of its own, so that Kill also ends what `go run` started.
	d.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := d.command.Start(); err != nil {
		return nil, fmt.Errorf("process: start: %w", err)
	}
	go func() {
		d.err = d.command.Wait()
		writer.Close()
		close(d.done)
	}()
	announced := make(chan Announcement, 1)
	go announce(reader, announced)
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	select {
	case d.Announcement = <-announced:
		return d, nil
	case <-d.done:
		return nil, fmt.Errorf("process: ended before it announced itself: %v\n%s", d.err, d.Output())
	case <-ctx.Done():
		d.Kill()
		return nil, fmt.Errorf("process: announced nothing within %v\n%s", startWithin, d.Output())
	}
}

// announce sends the announcement once it is complete, and then reads on, so that the
// process never waits for its reader.
func announce(from io.Reader, to chan<- Announcement) {
	var a Announcement
	sent := false
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		a.take(lines.Text())
		if !sent && a.complete() {
			sent = true
			to <- a
		}
	}
	_, _ = io.Copy(io.Discard, from) // a line over 1 MB: nothing to announce, but keep reading
}

// Output returns all that the process has printed so far, standard error included.
func (d *Demo) Output() string { return d.output.String() }

// Stop asks the process to end and waits for it. An exit code other than 0 is an error.
func (d *Demo) Stop() error {
	if err := d.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		select {
		case <-d.done: // ended by itself; its exit code tells
		default:
			return fmt.Errorf("process: stop: %w", err)
		}
	}
	select {
	case <-d.done:
	case <-time.After(stopWithin):
		d.Kill()
		return fmt.Errorf("process: still running %v after SIGTERM\n%s", stopWithin, d.Output())
	}
	if d.err != nil {
		return fmt.Errorf("process: ended with %w\n%s", d.err, d.Output())
	}
	return nil
}

// Interrupt is Ctrl-C in a terminal: it reaches the process and its children. It waits
// until all are gone.
func (d *Demo) Interrupt() {
	// The only error is that the group is already gone.
	_ = syscall.Kill(-d.command.Process.Pid, syscall.SIGINT)
	select {
	case <-d.done:
	case <-time.After(stopWithin):
		d.Kill()
	}
}

// Kill ends the process and its children at once, as a power cut would, and waits.
func (d *Demo) Kill() {
	// The only error is that the group is already gone.
	_ = syscall.Kill(-d.command.Process.Pid, syscall.SIGKILL)
	<-d.done
}

// transcript keeps what both streams of a process write.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
