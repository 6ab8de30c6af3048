// Package report sums up what was measured. A page and a chart are rendered alike.
package report

import (
	"example.org/beacon/internal/probe"
	. "example.org/beacon/internal/store"
)

type renderer interface {
	Render(width int) string
	open() *Page
	close() (*Chart, error)
}

type numbers interface {
	renderer
	~int | ~float64
}

// Page is text.
type Page struct{ title string }

// Chart is a picture; it has a page.
type Chart struct {
	Page
	probe.Target
	Ring[int]
	legend *Page
	pages  []*Page
}

type (
	Sheet = Page
	Graph Chart
	table struct{ *Chart }
)

func (p *Page) Render(width int) string  { return p.title }
func (c *Chart) Render(width int) string { return c.legend.Render(width) }
func (p *Page) open() *Page              { return p }
func (c *Chart) open() *Page             { return c.legend }
func (p *Page) close() (*Chart, error)   { return &Chart{}, nil }
func (Chart) close() (*Chart, error)     { return nil, nil }

func newPage() *Page               { return new(Page) }
func newChart() (*Chart, error)    { return &Chart{legend: new(Page)}, nil }
func first[T any](items []T) T     { return items[0] }
func target() probe.Target         { return *new(probe.Target) }
func assembly(x int) int

var front = newPage()
var index *Page = front
var back, spare = Page{}, &Chart{}
var footer = func(width int) string { return front.Render(width) }
var (
	header = func(width int) string { return index.Render(width) }
	other  = &Page{}
)

const newPages = 3

// All renders everything that there is.
func All(charts map[string]*Chart, more ...*Chart) string {
	page := newPage()
	text := page.Render(1)
	chart, err := newChart()
	if err != nil {
		return text
	}
	text += chart.Render(2)
	chart, err = newChart()
	same := chart
	text += same.Render(3)
	legend := chart.legend
	text += legend.Render(4)
	pointer := &page
	text += (*pointer).Render(5)
	one := chart.pages[0]
	text += one.Render(6)
	literal := Page{title: "a"}
	text += literal.Render(7)
	made := &Chart{}
	text += made.Render(8)
	fresh := new(Chart)
	text += fresh.Render(9)
	var any interface{} = made
	text += any.(*Page).Render(10)
	cast := any.(*Chart)
	text += cast.Render(11)
	for _, each := range chart.pages {
		text += each.Render(12)
	}
	for _, each := range pagesOf(chart) {
		text += each.Render(13)
	}
	for _, each := range more {
		text += each.Render(14)
	}
	for _, each := range charts {
		text += each.Render(15)
	}
	var declared = newPage()
	text += declared.Render(16)
	var again = chart.legend
	text += again.Render(17)
	var sheet = Sheet{}
	text += sheet.Render(18)
	var graph = &Chart{}
	text += graph.Render(19)
	text += front.Render(20) + back.Render(21) + spare.Render(22) + other.Render(23)
	text += (page.Render)(24) + first[*Page](chart.pages).Render(25) + Map[int, int](&chart.Ring, assembly)[0:]
	closed, _ := page.close()
	text += closed.Render(26) + page.open().Render(27) + header(1) + footer(2)
	switch shape := any.(type) {
	case *Chart:
		text += shape.Render(28)
	}
	return text + hide(newPage, nil)
}

func pagesOf(chart *Chart) []*Page { return chart.pages }

// hide has parameters and variables that are named as functions are.
func hide(newPage func() *Page, channel chan func() int, footer ...func(int) string) string {
	pagesOf := newPage
	var newChart = pagesOf
	const target = 2
	for _, first := range footer {
		first(1)
	}
	select {
	case assembly := <-channel:
		assembly()
	}
	newChart()
	pagesOf()
	return newPage().Render(target) + footer[0](1) + Ring[int]{}.String()
}

func generic[All renderer](value All) string { return value.Render(1) + Graph{}.Render(2) }
