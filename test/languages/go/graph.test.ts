import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const SHOP = {
  'shop.go': `package shop

import "example.com/me/shop/internal/price"

type Cart struct {
	*Base
	price.Table
	items []*Item
	Owner Owner
}

type Owner struct{}

func (o *Owner) Name() string { return "" }

func New() (*Cart, error) {
	return &Cart{}, nil
}

func (c *Cart) Total() int {
	for _, item := range c.items {
		item.Cost()
	}
	c.touch()
	c.Owner.Name()
	c.items[0].Cost()
	return c.Lookup("a") + price.Sum(1)
}
`,
  'item.go': `package shop

type Base struct{}

func (b *Base) touch() {}

type Coster interface {
	Cost() int
}

type Item struct{}

func (i Item) Cost() int { return 1 }

func all(costers map[string]Coster) {
	for _, one := range costers {
		one.Cost()
	}
}
`,
  'internal/price/price.go': `package price

type Table struct{}

func (t Table) Lookup(name string) int { return 0 }

func Sum(xs ...int) int { return max(xs) }

func max(xs []int) int { return 0 }
`,
  'cmd/shop/main.go': `package main

import (
	"fmt"
	"net/price"

	"example.com/me/shop"
	"golang.org/x/price"
)

func main() {
	cart, err := shop.New()
	fmt.Println(cart.Total(), err)
	var other interface{ Total() } = nil
	other.Total()
	cart.items[0].Missing()
}
`,
  'shop_test.go': `package shop_test

import "example.com/me/shop"

func TestTotal() {
	c, _ := shop.New()
	c.Total()
	helper()
}
`,
  'more_test.go': `package shop_test

func helper() {}
`,
};

test('go: calls resolve through packages, receivers, embedded types and interfaces', async () => {
  assert.deepEqual(await findEdges(SHOP), [
    'shop.go::Cart > internal/price/price.go::Table inherit',
    'shop.go::Cart > item.go::Base inherit',
    'shop.go::Cart.Total > internal/price/price.go::Sum',
    'shop.go::Cart.Total > internal/price/price.go::Table.Lookup',
    'shop.go::Cart.Total > item.go::Base.touch',
    'shop.go::Cart.Total > item.go::Item.Cost',
    'shop.go::Cart.Total > shop.go::Owner.Name',
    'shop.go::New > shop.go::Cart construct',
    'item.go::all > item.go::Coster.Cost',
    'internal/price/price.go::Sum > internal/price/price.go::max',
    'cmd/shop/main.go::main > shop.go::Cart.Total',
    'cmd/shop/main.go::main > shop.go::New',
    'shop_test.go::TestTotal > more_test.go::helper',
    'shop_test.go::TestTotal > shop.go::Cart.Total',
    'shop_test.go::TestTotal > shop.go::New',
  ]);
});

test('go: the graph follows edits', () => assertFollowsEdits(SHOP));
