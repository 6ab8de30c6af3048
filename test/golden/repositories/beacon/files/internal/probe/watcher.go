package probe

import (
	"context"
	"time"
)

// Result is one check of a target.
type Result struct {
	Target string
	Err    error
	Took   time.Duration
}

// Watcher checks all targets again and again.
type Watcher struct {
	config *Config
	sink   func(Result)
	now    func() time.Time
}

// Option changes a watcher.
type Option func(*Watcher)

// WithSink has results go somewhere.
func WithSink(sink func(Result)) Option {
	return func(w *Watcher) { w.sink = sink }
}

// NewWatcher makes a watcher that is told of nothing yet.
func NewWatcher(config *Config, options ...Option) *Watcher {
	w := &Watcher{config: config, sink: func(Result) {}, now: time.Now}
	for _, option := range options {
		option(w)
	}
	return w
}

// Run checks until the context is done.
func (w *Watcher) Run(ctx context.Context) error {
	ticker := time.NewTicker(w.config.Interval)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			w.checkAll(ctx)
		}
	}
}

func (w *Watcher) checkAll(ctx context.Context) {
	for _, target := range w.config.Targets {
		go func() {
			w.sink(w.check(ctx, target))
		}()
	}
}

func (w *Watcher) check(ctx context.Context, target Target) Result {
	ctx, cancel := context.WithTimeout(ctx, target.Timeout)
	defer cancel()
	start := w.now()
	err := checkerOf(target).Check(ctx, target)
	return Result{Target: target.Name, Err: err, Took: w.now().Sub(start)}
}
