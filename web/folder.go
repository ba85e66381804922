package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fornix/jobs"
	"fornix/keys"
	"fornix/migrations"
	"fornix/models"
)

// StartError is a fault of starting, as one line that says what to do.
type StartError struct {
	Line string
	err  error
}

func (e *StartError) Error() string { return e.Line }
func (e *StartError) Unwrap() error { return e.err }

func startError(err error, format string, args ...any) *StartError {
	return &StartError{Line: fmt.Sprintf(format, args...), err: err}
}

// ErrEmpty says that a data folder holds no installation yet.
var ErrEmpty = errors.New("no installation in the data folder")

// data is an open data folder: key store, sealer with every tenant's secret, and
// the migrated database.
type data struct {
	store  *keys.FileStore
	sealer *keys.Sealer
	db     *models.DB
}

func (d *data) close() error {
	if d == nil {
		return nil
	}
	var errs []error
	if d.db != nil {
		errs = append(errs, d.db.Close())
	}
	if d.store != nil {
		errs = append(errs, d.store.Close())
	}
	return errors.Join(errs...)
}

// openFolder opens the data folder; with create it makes an empty installation
// where there is nothing. It never makes a key store beside a database, nor the
// other way round: half of an installation is a fault for a person to look at.
func openFolder(ctx context.Context, cfg Config, create bool) (*data, error) {
	hasKeys, err := holds(cfg.keyFolder())
	if err != nil {
		return nil, explain(cfg, err)
	}
	hasDatabase, err := holds(cfg.databaseFile())
	if err != nil {
		return nil, explain(cfg, err)
	}
	switch {
	case !hasKeys && !hasDatabase && !create:
		return nil, startError(ErrEmpty, "%s holds no installation: run `fornix demo`, or `fornix migrate --tenant ID` to make one", cfg.Data)
	case hasKeys && !hasDatabase:
		return nil, startError(keys.ErrHalfMade, "%s holds keys and no database: put fornix.db back from its backup, or remove %s to start over", cfg.Data, cfg.Data)
	}
	if err := writable(cfg.Data); err != nil {
		return nil, startError(err, "%s can't be written: %s", cfg.Data, reason(err))
	}
	d := &data{}
	if hasDatabase {
		d.store, err = keys.OpenFile(cfg.keyFolder())
	} else {
		d.store, err = keys.CreateFile(cfg.keyFolder())
	}
	if err != nil {
		return nil, explain(cfg, err)
	}
	if err := d.openDatabase(ctx, cfg, hasDatabase); err != nil {
		_ = d.close()
		return nil, explain(cfg, err)
	}
	return d, nil
}

func (d *data) openDatabase(ctx context.Context, cfg Config, existed bool) (err error) {
	d.sealer = keys.NewSealer(d.store, keys.Options{Clock: cfg.Clock})
	if d.db, err = models.Open(ctx, models.Config{Path: cfg.databaseFile(), Sealer: d.sealer, Clock: cfg.Clock}); err != nil {
		return err
	}
	// With a key store that isn't this database's nothing is changed, so the
	// tenants are opened before the schema is touched.
	if existed {
		if err := d.loadTenants(ctx); err != nil {
			return err
		}
	}
	if err := migrations.Up(ctx, migrations.SQLite, d.db.Writer()); err != nil {
		return err
	}
	return jobs.Migrate(ctx, d.db)
}

func (d *data) loadTenants(ctx context.Context) error {
	tenants, err := d.db.Tenants(ctx)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") {
			return fmt.Errorf("%w: the database has no schema", keys.ErrHalfMade)
		}
		return err
	}
	for _, t := range tenants {
		if err := d.sealer.LoadTenant(ctx, t.ID, t.SecretWrapped); err != nil {
			return err
		}
	}
	return nil
}

// explain turns a fault of the data folder into one line for whoever starts it.
func explain(cfg Config, err error) error {
	var known *StartError
	folder := cfg.keyFolder()
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, keys.ErrMasterKeyMissing):
		return startError(err, "%s/master.key is missing: put it back from its backup; without it nothing sealed opens", folder)
	case errors.Is(err, keys.ErrNotThere):
		return startError(err, "%s is empty or missing beside an existing database: put the key store back from its backup; nothing was deleted and no key made", folder)
	case errors.Is(err, keys.ErrWrongKey), errors.Is(err, keys.ErrOpen):
		return startError(err, "%s isn't the key store of this database: put the right one back; nothing was deleted and no key made", folder)
	case errors.Is(err, keys.ErrPermissions):
		return startError(err, "%s is open to others: run chmod 600 %s/master.key", folder, folder)
	case errors.Is(err, keys.ErrLocked):
		return startError(err, "%s is in use by another fornix: stop that one first, or set FORNIX_DATA to another folder", cfg.Data)
	case errors.Is(err, keys.ErrLedger):
		return startError(err, "%s/ledger.jsonl was cut or changed: put the key store back from its backup", folder)
	case errors.Is(err, keys.ErrHalfMade):
		return startError(err, "%s is half written: remove it to start over, or put it back from its backup", cfg.Data)
	case errors.Is(err, fs.ErrPermission):
		return startError(err, "%s can't be read or written: %s", cfg.Data, reason(err))
	}
	return startError(err, "%s can't be opened: %s", cfg.Data, reason(err))
}

// isLocked tells whether the fault is of the key store beside an existing
// database: serve then waits for it to be put right.
func isLocked(cfg Config, err error) bool {
	there, statErr := holds(cfg.databaseFile())
	if statErr != nil || !there {
		return false
	}
	for _, fault := range []error{keys.ErrMasterKeyMissing, keys.ErrNotThere, keys.ErrWrongKey, keys.ErrOpen, keys.ErrPermissions, keys.ErrLedger, keys.ErrMissing} {
		if errors.Is(err, fault) {
			return true
		}
	}
	info, statErr := os.Stat(cfg.keyFolder())
	return errors.Is(err, keys.ErrHalfMade) && statErr == nil && info.IsDir()
}

// holds tells whether a file, or a folder with something in it, is there.
func holds(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return err == nil, err
	}
	entries, err := os.ReadDir(path)
	return len(entries) > 0, err
}

// writable makes the folder where it is missing and proves that files can be made
// in it.
func writable(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".write-test-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// reason is an error in one line without the path, which the caller names.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
