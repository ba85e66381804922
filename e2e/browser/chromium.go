package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"
)

// ErrMissing says that Chromium or axe-core isn't on this machine.
var ErrMissing = errors.New("no browser tests: ./task setup installs Chromium and axe-core")

// actionTimeout bounds one step of a walk. It is no measure of speed: a cold page on
// two busy cores stays far below it, and a step that waits in vain ends with a cause.
const actionTimeout = 30 * time.Second

// Browser is one Chromium process. Its pages share nothing: each has a profile of its
// own, as if it were another person's machine.
type Browser struct {
	ctx  context.Context
	stop func()
	axe  string
}

// Find returns the paths of Chromium and of axe-core, or ErrMissing.
func Find() (chromium, axe string, err error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "google-chrome", "google-chrome-stable", "chromium-browser"} {
		if name == "" {
			continue
		}
		if chromium, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if chromium == "" {
		return "", "", fmt.Errorf("%w (no Chromium)", ErrMissing)
	}
	if axe = os.Getenv("FORNIX_AXE"); axe == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", "", fmt.Errorf("%w (%v)", ErrMissing, err)
		}
		axe = filepath.Join(cache, "fornix", "node_modules", "axe-core", "axe.min.js")
	}
	if _, err := os.Stat(axe); err != nil {
		return "", "", fmt.Errorf("%w (no axe-core)", ErrMissing)
	}
	return chromium, axe, nil
}

// Start starts Chromium with a fresh profile under dir.
func Start(dir string) (*Browser, error) {
	path, axeFile, err := Find()
	if err != nil {
		return nil, err
	}
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		return nil, fmt.Errorf("browser: read axe-core: %w", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(dir),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
	)
	if os.Geteuid() == 0 {
		// Chromium refuses its sandbox to root; a container of a continuous check is root.
		options = append(options, chromedp.NoSandbox)
	}
	allocated, freeAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, freeContext := chromedp.NewContext(allocated)
	b := &Browser{ctx: ctx, axe: string(axe), stop: func() { freeContext(); freeAllocator() }}
	// Without a deadline on purpose: chromedp ends the browser with the context of its first call.
	if err := chromedp.Do(ctx); err != nil {
		b.stop()
		return nil, fmt.Errorf("browser: start %s: %w", path, err)
	}
	return b, nil
}

// Close ends Chromium and waits until it is gone.
func (b *Browser) Close() error {
	err := chromedp.Cancel(b.ctx)
	b.stop()
	if err != nil {
		return fmt.Errorf("browser: stop: %w", err)
	}
	return nil
}
