// Package store keeps what was measured last.
package store

import "sync"

// Ring holds the last items that were added.
type Ring[T any] struct {
	mu    sync.RWMutex
	items []T
	next  int
	full  bool
}

// NewRing makes a ring of a size.
func NewRing[T any](size int) *Ring[T] {
	return &Ring[T]{items: make([]T, size)}
}

// Add overwrites the oldest item where there is no room.
func (r *Ring[T]) Add(item T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.items[r.next] = item
	r.next++
	if r.next == len(r.items) {
		r.next, r.full = 0, true
	}
}

// All gives the items, the oldest first.
func (r *Ring[T]) All() []T {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if !r.full {
		return r.items[:r.next]
	}
	return append(r.items[r.next:], r.items[:r.next]...)
}

// Map applies a function to all items.
func Map[T, U any](r *Ring[T], f func(T) U) []U {
	var out []U
	for _, item := range r.All() {
		out = append(out, f(item))
	}
	return out
}
