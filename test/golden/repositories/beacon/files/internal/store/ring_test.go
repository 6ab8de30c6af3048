package store

import "testing"

func TestRingKeepsTheLast(t *testing.T) {
	ring := NewRing[int](2)
	for i := range 3 {
		ring.Add(i)
	}
	if got := ring.All(); got[0] != 1 || got[1] != 2 {
		t.Fatalf("got %v", got)
	}
}

func BenchmarkAdd(b *testing.B) {
	ring := NewRing[int](1024)
	for i := 0; i < b.N; i++ {
		ring.Add(i)
	}
}
