package web

import (
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[strings.TrimPrefix(name, "FORNIX_")] }
}

func TestFromEnv(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want Config
	}{
		"nothing set is the demo on loopback": {nil, Config{
			Listen: "127.0.0.1:8390", Data: "./fornix-data", SessionTTL: 12 * time.Hour, Retention: 90 * 24 * time.Hour,
		}},
		"everything set": {map[string]string{
			"LISTEN": ":80", "DATA": "/d", "PUBLIC_URL": "https://m.example/", "TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.1",
			"SESSION_TTL": "30m", "RETENTION_DAYS": "0", "LOG_LEVEL": "warn",
		}, Config{
			Listen: ":80", Data: "/d", PublicURL: "https://m.example", SessionTTL: 30 * time.Minute, LogLevel: slog.LevelWarn,
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.1/32")},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := FromEnv(env(c.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(Config{}, "Clock", "Log"), cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("every faulty one is named", func(t *testing.T) {
		t.Parallel()
		faulty := map[string]string{
			"LISTEN": "8390", "PUBLIC_URL": "https://m.example/path", "TRUSTED_PROXIES": "10.0.0.0/8,proxy",
			"SESSION_TTL": "12", "RETENTION_DAYS": "-1", "LOG_LEVEL": "loud",
		}
		_, err := FromEnv(env(faulty))
		if err == nil {
			t.Fatal("accepted")
		}
		for name := range faulty {
			if !strings.Contains(err.Error(), "FORNIX_"+name+":") {
				t.Errorf("%v doesn't name %s", err, name)
			}
		}
	})
}
