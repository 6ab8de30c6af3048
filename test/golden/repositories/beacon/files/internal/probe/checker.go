package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// Checker tells whether a target answers.
type Checker interface {
	Check(ctx context.Context, target Target) error
}

// CheckerFunc is a function that is a Checker.
type CheckerFunc func(ctx context.Context, target Target) error

// Check calls the function.
func (f CheckerFunc) Check(ctx context.Context, target Target) error {
	return f(ctx, target)
}

type base struct {
	mu     sync.Mutex
	failed map[string]int
}

func (b *base) count(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.failed = make(map[string]int)
	}
	b.failed[name]++
	return b.failed[name]
}

// HTTP expects a status below 400.
type HTTP struct {
	base
	Client *http.Client
}

// Check sends a GET request.
func (h *HTTP) Check(ctx context.Context, target Target) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.Address, nil)
	if err != nil {
		return err
	}
	response, err := h.Client.Do(request)
	if err != nil {
		return fmt.Errorf("attempt %d: %w", h.count(target.Name), err)
	}
	if response.StatusCode >= 400 {
		return &StatusError{Code: response.StatusCode, Attempt: h.count(target.Name)}
	}
	return nil
}

// StatusError is an answer that is none.
type StatusError struct {
	Code    int
	Attempt int
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("status %d", e.Code)
}

// TCP expects a connection.
type TCP struct {
	base
	net.Dialer
}

// Check dials and hangs up.
func (t *TCP) Check(ctx context.Context, target Target) error {
	conn, err := t.DialContext(ctx, "tcp", target.Address)
	if err != nil {
		t.count(target.Name)
		return err
	}
	return conn.Close()
}

var checkers = map[string]Checker{
	"http": &HTTP{Client: http.DefaultClient},
	"tcp":  &TCP{},
	"none": CheckerFunc(func(context.Context, Target) error { return nil }),
}

func checkerOf(target Target) Checker {
	return checkers[target.Kind]
}
