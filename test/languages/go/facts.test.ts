import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRests } from '../../../src/engine/languages/go/package-folders.ts';
import { readTypeName } from '../../../src/engine/languages/go/type-names.ts';
import { bindings, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('go');

test('go: types are reduced to the class whose methods are called', () => {
  const names = {
    T: 'T',
    '*pkg.T': 'pkg.T',
    '**T': 'T',
    '[]*T': 'T',
    '[4]T': 'T',
    '...Option': 'Option',
    'map[string][]T': 'T',
    'map[[2]int]*T': 'T',
    'chan T': 'T',
    '<-chan *T': 'T',
    'chan<- T': 'T',
    'Pair[K, V]': 'Pair',
    'func(int) T': null,
    'struct{ a int }': null,
    'interface{}': null,
    'map[': null,
  };
  for (const [type, name] of Object.entries(names))
    assert.equal(readTypeName(type)?.name ?? null, name, type);
});

test('go: imports, the package and the types that methods belong to', () => {
  const { facts } = parse(`package shop_test

import (
	"fmt"
	. "strings"
	_ "embed"
	card "example.com/pay/v2/card"
	"github.com/a/go-isatty"
	"gopkg.in/yaml.v3"
	"example.com/pay/v2"
)

func (c *Cart[T]) Total() {}
`);
  assert.equal(facts.namespace, 'shop_test');
  assert.deepEqual(facts.owners, [{ scope: 1, type: 'Cart' }]);
  assert.deepEqual(
    facts.imports.map(({ module, member, local }) => [module, member, local]),
    [
      ['fmt', null, 'fmt'],
      ['strings', '*', '*'],
      ['embed', null, '_'],
      ['example.com/pay/v2/card', null, 'card'],
      ['github.com/a/go-isatty', null, 'isatty'],
      ['gopkg.in/yaml.v3', null, 'yaml'],
      ['example.com/pay/v2', null, 'pay'],
    ],
  );
});

test('go: possible meanings of an import path in a repository', () => {
  const rests = {
    'net/http': [],
    'golang.org/x/net/context': [],
    'github.com/gin-gonic/gin': [''],
    'github.com/gin-gonic/gin/render': ['render'],
    'github.com/a/b/v2/c': ['v2/c', 'c'],
    'shop/cart': ['cart'],
    'k8s.io/api/core/v1': ['core/v1', 'core', 'v1', '', 'api/core/v1', 'api/core'],
  };
  for (const [path, expected] of Object.entries(rests)) assert.deepEqual(listRests(path), expected);
});

test('go: references are chains of names', () => {
  const source = parse(`package a

func f(x *T) {
	x.a.b(1).c()
	pkg.G[int](x)
	g[int, string](x)
	h[int]()
	(*T).Do(x)
	y := &T{A: pkg.U{}}
	z := new(V)
	[]int{1}.no()
	"text".no()
	x.(*W).run()
	list[0].run()
	func() { inner() }()
	go work()
	defer x.close()
}
`);
  assert.deepEqual(references(source, 'f'), [
    'call x.a.b',
    'call x.a.b().c',
    'call pkg.G',
    'call g',
    'call h',
    'call T.Do',
    'call T',
    'call pkg.U',
    'call new',
    'call V',
    'call ?.no',
    'call W().run',
    'call list.run',
    'call inner',
    'call work',
    'call x.close',
  ]);
});

test('go: embedded types are bases', () => {
  const source = parse(`package a

type A struct {
	*Base
	io.Reader
	Named[int]
	field Other
}
type B interface {
	A
	io.Writer
	~int | string
	Do()
}
type C B
type D = pkg.E
`);
  assert.deepEqual(references(source, 'A'), ['inherit Base', 'inherit io.Reader', 'inherit Named']);
  assert.deepEqual(references(source, 'B'), ['inherit A', 'inherit io.Writer']);
  assert.deepEqual(references(source, 'C'), ['inherit B']);
  assert.deepEqual(references(source, 'D'), ['inherit pkg.E']);
  assert.deepEqual(bindings(source, 'A'), [
    'Base type Base',
    'Reader type io.Reader',
    'Named type Named',
    'field type Other',
  ]);
});

test('go: evidence for the types of names', () => {
  const source = parse(`package a

var Global = New()

func (r *R) f(a, b A, rest ...pkg.B) (c *C, err error) {
	d, err := r.make()
	e := &E{}
	g := pkg.G[int](d)
	h := d.items[0]
	var i I = nil
	for _, j := range d.items {
		j.run()
	}
	k, ok := i.(*K)
	l := new(L)
	m := make(map[string]*M)
	n := <-d.channel
	switch o := i.(type) {
	case *P:
		o.run()
	}
	_ = func(q Q) { q.run() }
}
`);
  assert.deepEqual(bindings(source), ['Global call New']);
  assert.deepEqual(bindings(source, 'R.f'), [
    'r type R',
    ' return C',
    'a type A',
    'b type A',
    'rest type pkg.B',
    'c type C',
    'err type error',
    'd call r.make',
    'e type E',
    'g call pkg.G',
    'h alias d.items',
    'i type I',
    'j alias d.items',
    'k type K',
    'l call new',
    'l type L',
    'm call make',
    'm type M',
    'n alias d.channel',
    'q type Q',
  ]);
  const [locals] = source.facts.locals ?? [];
  assert.deepEqual(locals?.names.toSorted(), ['d', 'j', 'o', 'q', 'r']);
});
