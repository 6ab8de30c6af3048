import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

test('splits CSS by its rules', () => {
  const text = lines(
    '/* A notice. */',
    '',
    '@import "reset.css"; /* beside */',
    '@import url(data:text/css;base64,{});',
    "@import url('b.css');",
    ':root { --brand: red; --gap: 1px }',
    '/* The button,',
    '   in blue. */',
    '.btn:hover, #main > a::before,',
    '.btn[title="}"]',
    '{',
    '  background: url(data:image/png;base64,aaa//); /* } */',
    '  content: "\\"}";',
    '}',
    '@media (min-width: 10em) {',
    '  .btn { color: red }',
    '  /* Wide. */',
    '  .card { color: blue }',
    '}',
    '@keyframes fade {',
    '  from { opacity: 0 }',
    '}',
    'p {}',
  );
  assert.deepEqual(outlineSections('site.css', text), [
    '1-2 site.css',
    '3-5 @import',
    '6-6 :root [--brand, --gap]',
    '7-14 .btn:hover, #main > a:before, .btn[title="}"] [btn, main]',
    '15-16 @media (min-width: 10em) > .btn [btn]',
    '17-19 @media (min-width: 10em) > .card [card]',
    '20-22 @keyframes fade [fade]',
    '23-23 p',
  ]);
});

test('splits SCSS, with nested rules as keys', () => {
  const text = lines(
    '// Variables.',
    '$gap: 1px;',
    '$map: (',
    '  a: b,',
    ');',
    '',
    '$late: #{$gap};',
    '@use "a";',
    '@mixin wide($x) { @content; }',
    '.nav { // a { brace',
    '  &-item { .icon { x: y } }',
    '  #{$a}-b { c: d; }',
    '  background: url(http://x);',
    '}',
  );
  assert.deepEqual(outlineSections('nav.scss', text), [
    '1-6 $gap [$map]',
    '7-7 $late',
    '8-8 @use',
    '9-9 @mixin wide($x) [wide]',
    '10-11 .nav > &-item [nav, nav-item, icon]',
    '12-14 .nav > #{$a}-b',
  ]);
  const card = '.card {\n  x: y;\n  &-title { &:hover { x: y } &__icon, .b & { x: y } }\n}\n';
  assert.deepEqual(outlineSections('card.scss', card), [
    '1-4 .card [card, card-title, card-title__icon, b]',
  ]);
  assert.deepEqual(outlineSections('nav.less', '@gap: 1px;\n.a { .b(); }\n'), [
    '1-1 @gap',
    '2-2 .a [a]',
  ]);
});

test('splits Sass by its lines that are not indented', () => {
  const text = lines(
    '$gap: 1px',
    '$late: 2px',
    '',
    '// A list.',
    '.list,',
    'ul.plain',
    '  margin: 0',
    '  .item',
    '    --gap: 1px',
    '=wide',
    '  a: b',
  );
  assert.deepEqual(outlineSections('list.sass', text), [
    '1-3 $gap [$late]',
    '4-9 .list [list, plain, item, --gap]',
    '10-11 =wide',
  ]);
});

test('keeps unbalanced style sheets', () => {
  assert.deepEqual(outlineSections('a.css', '}}\n.a {\n.b {\n"x\n}'), ['1-5 .a > .b [a, b]']);
  assert.deepEqual(outlineSections('a.min.css', '.a {}'), []);
});
