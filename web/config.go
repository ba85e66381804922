package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Defaults of the settings.
const (
	DefaultListen        = "127.0.0.1:8390"
	DefaultData          = "./fornix-data"
	defaultSessionTTL    = 12 * time.Hour
	defaultRetentionDays = 90
)

// Config is what an installation can set. Each field is a FORNIX_ variable; the
// README holds the table.
type Config struct {
	Listen         string         // LISTEN: address and port
	Data           string         // DATA: the folder of database and keys
	PublicURL      string         // PUBLIC_URL: how people reach it; empty: as it listens
	TrustedProxies []netip.Prefix // TRUSTED_PROXIES: whose X-Forwarded-For counts
	SessionTTL     time.Duration  // SESSION_TTL: of staff and people
	Retention      time.Duration  // RETENTION_DAYS: of turns; 0 keeps none
	LogLevel       slog.Level     // LOG_LEVEL: debug, info, warn, error

	// Clock is the time the program goes by; nil is the machine's.
	Clock func() time.Time
	// Log gets the program's lines; nil drops them.
	Log *slog.Logger
}

// FromEnv reads the settings by a function such as os.Getenv. Every faulty one is
// named.
func FromEnv(get func(string) string) (Config, error) {
	c := Config{
		Listen: or(get("FORNIX_LISTEN"), DefaultListen), Data: or(get("FORNIX_DATA"), DefaultData),
		PublicURL: strings.TrimRight(get("FORNIX_PUBLIC_URL"), "/"), SessionTTL: defaultSessionTTL, Retention: defaultRetentionDays * 24 * time.Hour,
	}
	var faults []error
	fault := func(name, want string) {
		faults = append(faults, fmt.Errorf("FORNIX_%s: %s", name, want))
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		fault("LISTEN", "must be address:port, such as "+DefaultListen)
	}
	if c.PublicURL != "" {
		if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" {
			fault("PUBLIC_URL", "must be http(s)://host[:port] and nothing more")
		}
	}
	for part := range strings.SplitSeq(get("FORNIX_TRUSTED_PROXIES"), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		prefix, err := parsePrefix(part)
		if err != nil {
			fault("TRUSTED_PROXIES", "must be addresses or CIDR ranges, with commas between them")
			break
		}
		c.TrustedProxies = append(c.TrustedProxies, prefix)
	}
	if text := get("FORNIX_SESSION_TTL"); text != "" {
		ttl, err := time.ParseDuration(text)
		if err != nil || ttl < time.Minute || ttl > 31*24*time.Hour {
			fault("SESSION_TTL", "must be a duration from 1m to 744h, such as 12h")
		}
		c.SessionTTL = ttl
	}
	if text := get("FORNIX_RETENTION_DAYS"); text != "" {
		days, err := strconv.Atoi(text)
		if err != nil || days < 0 || days > 36500 {
			fault("RETENTION_DAYS", "must be a number of days; 0 keeps no turns")
		}
		c.Retention = time.Duration(days) * 24 * time.Hour
	}
	if text := get("FORNIX_LOG_LEVEL"); text != "" {
		if err := c.LogLevel.UnmarshalText([]byte(text)); err != nil {
			fault("LOG_LEVEL", "must be debug, info, warn or error")
		}
	}
	return c, errors.Join(faults...)
}

func parsePrefix(text string) (netip.Prefix, error) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked(), nil
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return netip.PrefixFrom(addr, addr.BitLen()), nil
}

// databaseFile and keyFolder are the layout of the data folder.
func (c Config) databaseFile() string { return filepath.Join(c.Data, "fornix.db") }
func (c Config) keyFolder() string    { return filepath.Join(c.Data, "keys") }

// secure tells whether people reach it over HTTPS, so that cookies say so.
func (c Config) secure() bool { return strings.HasPrefix(c.PublicURL, "https://") }

func (c Config) now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}

func (c Config) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.New(slog.DiscardHandler)
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
