// Code that is hard to cut up.
package awkward

import (
	"fmt"
	str "strings"
)

// Limit is no chunk.
const Limit = 3

// Shape has an area.
//
// It may be drawn.
type Shape interface {
	fmt.Stringer
	// Area is in square metres.
	Area() float64
	Draw(c *Canvas, options ...func(*Canvas)) error
}

type (
	// Point is small.
	Point struct{ X, Y int }

	// Pair of anything.
	Pair[K comparable, V any] struct {
		Key   K
		Value V
	}
	ID     int
	Option func(*Canvas) error
)

type Alias = Point

type Canvas struct {
	*Point
	shapes []Shape

	// nested has no name of its own.
	nested struct {
		depth int
	}
}

// NewCanvas makes one.
/* It is
empty. */
func NewCanvas() *Canvas {
	type local struct{ a int }
	helper := func() int { return 1 }
	return &Canvas{}
}

func (c *Canvas) Add(s Shape) {
	c.shapes = append(c.shapes, s)
} // the end

//go:noinline
func (Canvas) Size() int { return 0 }

func (p *Pair[K, V]) Swap(
	other Pair[K, V],
) (
	result *Pair[K, V],
	err error,
) {
	text := `
func NotAFunction() {
}
`
	return p, fmt.Errorf(text)
}

func (id ID) String() string { return str.Repeat("x", int(id)) }

func Map[T, U any](xs []T, f func(T) U) []U {
outer:
	for range xs {
		continue outer
	}
	return nil
}

func assembly(x, y int) int

func oneOf(s interface{ Area() float64 }) {}

var handler = func(w int) {
	fmt.Println(w)
}

var (
	table = map[string]func(){
		"a": func() {},
	}
	named = func() {}
)

func init() {
	fmt.Println("one")
}

func init() { fmt.Println("two") }

func a() {}; func b() {}
