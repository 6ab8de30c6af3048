package store

// Window is not finished yet.
type Window struct {
	from, to int

func (w *Window) Has(at int) bool {
	return at >= w.from && at <
}

func (w *Window) Length() int {
	return w.to - w.from
}
