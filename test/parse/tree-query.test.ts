import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Query } from 'web-tree-sitter';
import { getLanguage, getLanguages } from '../../src/engine/languages/index.ts';
import { expandNames } from '../../src/engine/languages/query-source.ts';
import { readQueries } from '../../src/engine/parse/grammar.ts';
import { type Matches, TreeQuery } from '../../src/engine/parse/tree-query.ts';
import { listSources, loadParser } from './tree-sitter.ts';

for (const language of getLanguages()) {
  test(`tree query: the queries of ${language.title} match what tree-sitter matches`, async () => {
    const { grammar, reader, parse } = await loadParser(language);
    for (const files of [language.queries, language.tokens]) {
      const text = readQueries(language, files);
      const reference = new Query(grammar, text);
      const query = new TreeQuery(text, reader.tables);
      for (const source of listSources(language)) {
        const { expected, tree } = parse(source);
        const want = reference.matches(expected.rootNode).map(({ patternIndex, captures }) => {
          const parts = captures.map(({ name, node }) => format(name.replace(/^\w+\./, ''), node));
          return `${patternIndex} ${parts.join(' ')}`;
        });
        assert.deepEqual(list(query.findMatches(tree)).sort(), want.sort());
        expected.delete();
      }
      reference.delete();
    }
  });
}

const { reader, parse } = await loadParser(getLanguage('python'));

/** Returns the texts that a query captures in a Python source, match by match. */
function match(source: string, text: string): string[] {
  const { expected, tree } = parse(text);
  expected.delete();
  const matches = [...new TreeQuery(source, reader.tables).findMatches(tree).values()].flat();
  return matches.map((one) =>
    Object.entries(one.texts())
      .map((pair) => pair.join('='))
      .join(' '),
  );
}

test('tree query: names stand for expressions', () => {
  const query = `(#define! loops "map" "filter")
    (#define! name [(identifier) @x.name (attribute) @x.name])
    (call function: $name (#not-any-of? @x.name $loops "sort"))`;
  assert.deepEqual(match(expandNames(query), 'map(a)\nsort(a)\na.b()\nf()'), [
    'name=a.b',
    'name=f',
  ]);
  assert.equal(expandNames('(call) @x.name ; $name'), '(call) @x.name ; $name');
  assert.throws(() => expandNames('(a $late) (#define! late (b))'), /uses \$late before/);
  assert.throws(() => expandNames('(#define! a (b)'), /lacks a closing bracket/);
});

test('tree query: anchors, absent fields, any nodes and repetitions', () => {
  const call = 'f(a, b, c)';
  assert.deepEqual(match('(argument_list . (_) @x.first)', call), ['first=a']);
  assert.deepEqual(match('(argument_list (_) @x.last .)', call), ['last=c']);
  assert.deepEqual(match('(argument_list (_) @x.one . (_) @x.two)', call), [
    'one=a two=b',
    'one=b two=c',
  ]);
  assert.deepEqual(match('(argument_list "(" @x.open)', call), ['open=(']);
  assert.deepEqual(match('(function_definition !return_type name: (_) @x.name)', 'def f(): pass'), [
    'name=f',
  ]);
  assert.deepEqual(match('(function_definition !body name: (_) @x.name)', 'def f(): pass'), []);
  const commented = '# one\n# two\n"text"\n';
  assert.deepEqual(match('(module . (comment)* . (expression_statement) @x.first)', commented), [
    'first="text"',
  ]);
});

test('tree query: a match without an optional node counts only if the node is missing', () => {
  const query = '(function_definition name: (_) @x.name return_type: (_)? @x.type)';
  assert.deepEqual(match(query, 'def f() -> int: pass\ndef g(): pass\n'), [
    'name=f type=int',
    'name=g',
  ]);
});

test('tree query: nodes without captures that match in several places give one match', () => {
  const query = '(list (call function: (identifier))) @x.list';
  assert.deepEqual(match(query, '[f(), g(), h()]'), ['list=[f(), g(), h()]']);
});

test('tree query: predicates compare texts', () => {
  const names = 'new\nNew\nold\n';
  const find = (predicate: string) => match(`((identifier) @x.n ${predicate})`, names);
  assert.deepEqual(find('(#eq? @x.n "new")'), ['n=new']);
  assert.deepEqual(find('(#not-eq? @x.n "new")'), ['n=New', 'n=old']);
  assert.deepEqual(find('(#match? @x.n "^[A-Z]")'), ['n=New']);
  assert.deepEqual(find('(#not-match? @x.n "^[A-Z]")'), ['n=new', 'n=old']);
  assert.deepEqual(find('(#any-of? @x.n "new" "old")'), ['n=new', 'n=old']);
  assert.deepEqual(find('(#not-any-of? @x.n "new" "old")'), ['n=New']);
});

test('tree query: errors name what is wrong', () => {
  const compile = (source: string) => () => new TreeQuery(source, reader.tables);
  assert.throws(compile('(nothing) @x.y'), /no node type nothing/);
  assert.throws(compile('(call nothing: (_)) @x.y'), /no field nothing/);
  assert.throws(compile('(call'), /lacks a closing bracket/);
  assert.throws(compile('(call]'), /unbalanced bracket at offset 6/);
  assert.throws(compile('(call (#unknown? @x.y))'), /unknown predicate unknown\?/);
});

function list(matches: Matches): string[] {
  return [...matches.values()].flat().map((one) => {
    const parts = one.entries().map(([part, node]) => format(part, node));
    return `${one.pattern} ${parts.join(' ')}`;
  });
}

function format(part: string, node: { startIndex: number; endIndex: number }): string {
  return `${part}=${node.startIndex}-${node.endIndex}`;
}
