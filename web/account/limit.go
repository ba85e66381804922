package account

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// Limits on tries, per address and per account: a few at once, then slowly. What
// an address may do is wider, since an office shares one.
const (
	triesPerAccount  = 5
	triesPerAddress  = 20
	refillAccount    = 30 * time.Second
	refillAddress    = 6 * time.Second
	rememberedBucket = 10_000
)

// Limiter slows down whoever guesses. It forgets who hasn't been seen for long and
// is bounded in memory.
type Limiter struct {
	mu      sync.Mutex
	buckets *simplelru.LRU[string, *rate.Limiter]
}

// NewLimiter makes an empty limiter.
func NewLimiter() *Limiter {
	buckets, err := simplelru.NewLRU[string, *rate.Limiter](rememberedBucket, nil)
	if err != nil { // only for sizes below one
		panic("account: limiter: " + err.Error())
	}
	return &Limiter{buckets: buckets}
}

// Wait takes one try of the key and says how long to wait before it is allowed; 0
// allows it now. A refused try isn't counted.
func (l *Limiter) Wait(now time.Time, key string, burst int, refill time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets.Get(key)
	if !ok {
		b = rate.NewLimiter(rate.Every(refill), burst)
		l.buckets.Add(key, b)
	}
	r := b.ReserveN(now, 1)
	if d := r.DelayFrom(now); d > 0 {
		r.CancelAt(now)
		return d
	}
	return 0
}

// try is Wait for a sign-in from an address to an account; either may be empty.
func (l *Limiter) try(now time.Time, address, account string) time.Duration {
	wait := time.Duration(0)
	if address != "" {
		wait = l.Wait(now, "address:"+address, triesPerAddress, refillAddress)
	}
	if account != "" {
		wait = max(wait, l.Wait(now, "account:"+account, triesPerAccount, refillAccount))
	}
	return wait
}
