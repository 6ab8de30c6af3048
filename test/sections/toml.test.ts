import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

const split = (...written: string[]) => outlineSections('pyproject.toml', lines(...written));

test('splits TOML by tables and by the keys above them', () => {
  assert.deepEqual(
    split(
      'title = "Shop"',
      'paths = [',
      '  "[not.a.table]",',
      '  [1, 2],',
      ']',
      '',
      '# What it needs.',
      '[project]',
      'name = "shop"',
      'dependencies = [',
      '[ "a" ], # ]',
      ']',
      '[tool.ruff."per file"]',
      "quote-style = 'x'",
      '[[tool.mypy.overrides]]',
      'module = """',
      '[no table]',
      '"""',
      '[[tool.mypy.overrides]] # twice',
      'a.b = 1',
    ),
    [
      '1-1 title',
      '2-6 paths',
      '7-12 project [name, shop, dependencies]',
      '13-14 tool > ruff > per file [quote-style]',
      '15-18 tool > mypy > overrides [module]',
      '19-20 tool > mypy > overrides [a.b]',
    ],
  );
});

test('groups dotted keys by their first two names', () => {
  assert.deepEqual(
    split('main.name = "a"', 'main.lang = 1', 'ui.web.port = 1', '"ui".web.on = 1', 'x = 1'),
    ['1-2 main [main.name, main.lang]', '3-4 ui > web [ui.web.port, ui.web.on]', '5-5 x'],
  );
});

test('keeps an empty table in the first table inside it', () => {
  assert.deepEqual(split('[tool]', '[tool.black]', 'line-length = 88', '[tool.isort]'), [
    '1-3 tool > black [line-length]',
    '4-4 tool > isort',
  ]);
});
