/** Editors of JSON, TOML and YAML: an entry is added without another change, and removed without a trace, also by its place alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import { type ConfigEntry, isSame } from '../../src/services/setup/config-format.ts';
import { takeOutEdit } from '../../src/services/setup/entry.ts';
import { FORMATS } from '../../src/services/setup/formats.ts';
import type { JournalEdit } from '../../src/services/setup/journal.ts';
import { SEED, scaleRounds } from '../support/effort.ts';

const ENTRY: ConfigEntry = {
  keys: ['servers', 'locus'],
  isInList: false,
  value: { command: '/a "b"/node', args: ['x y', 'mcp'] },
};
const ITEM: ConfigEntry = { ...ENTRY, keys: ['servers'], isInList: true };
const NAMED: ConfigEntry = { ...ITEM, value: { name: 'locus', command: 'c', args: ['mcp'] } };

type Format = JournalEdit['format'];

/** Adds an entry to a text. */
function add(format: Format, text: string, entry: ConfigEntry) {
  const insertion = FORMATS[format].insert(text, entry);
  const { offset } = insertion;
  const edited = text.slice(0, offset) + insertion.text + text.slice(offset);
  const edit: JournalEdit = { ...insertion, format, ...entry, keys: [...entry.keys] };
  return { edited, edit };
}

const name = fc.oneof(fc.constantFrom('a', 'servers', 'locus-2', '__proto__', 'b c'), fc.string());
const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 3 }) });
const settings = fc.dictionary(
  name.filter((key) => key !== 'servers'),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), server),
  { maxKeys: 4, noNullPrototype: true },
);
const servers = fc.dictionary(
  name.filter((key) => key !== 'locus'),
  server,
  { maxKeys: 3, noNullPrototype: true },
);
const options = { seed: SEED, numRuns: scaleRounds(100) };

/** Adds an entry to a file with these servers, and takes it out both ways. */
function checkRoundTrip(
  format: Format,
  text: string,
  entry: ConfigEntry,
  parse: (text: string) => unknown,
) {
  const { edited, edit } = add(format, text, entry);
  assert.ok(isSame(FORMATS[format].find(edited, entry), entry.value), edited);
  assert.equal(takeOutEdit(edited, edit), text);
  const left = FORMATS[format].remove(edited, entry, edit.createdKeys);
  assert.equal(FORMATS[format].find(left, entry), undefined);
  const [was, is] = [parse(text), parse(left)];
  // A container that was there, but empty, may be written in another way.
  assert.ok(isSame(dropEmpty(was), dropEmpty(is)), `${text}\n→\n${left}`);
}

function dropEmpty(value: unknown): unknown {
  const { servers: inner, ...others } = (value ?? {}) as Record<string, unknown>;
  const isEmpty = inner == null || Object.keys(inner).length === 0;
  return isEmpty ? others : { ...others, servers: inner };
}

describe('an entry', () => {
  it('in JSON, however it is written', () => {
    const property = fc.property(
      settings,
      fc.option(servers),
      fc.constantFrom<[string | number]>(['\t'], [2], [4], [0]),
      fc.constantFrom('\n', '\r\n'),
      (others, inner, [indent], eol) => {
        const text = JSON.stringify(inner ? { ...others, servers: inner } : others, null, indent);
        checkRoundTrip('json', text.replaceAll('\n', eol), ENTRY, JSON.parse);
      },
    );
    fc.assert(property, options);
  });

  it('in a list in JSON', () => {
    const property = fc.property(settings, fc.array(server, { maxLength: 3 }), (others, items) => {
      const text = JSON.stringify({ ...others, servers: items }, null, 2);
      for (const entry of [ITEM, NAMED]) checkRoundTrip('json', text, entry, JSON.parse);
    });
    fc.assert(property, options);
  });

  it('in TOML', () => {
    const property = fc.property(settings, fc.option(servers), (others, inner) => {
      const text = stringifyToml(inner ? { ...others, servers: inner } : others);
      checkRoundTrip('toml', text, ENTRY, parseToml);
    });
    fc.assert(property, options);
  });

  it('in YAML, in a map and in a list', () => {
    const items = fc.array(server, { maxLength: 3 });
    const flow = fc.constantFrom<'any' | 'flow'>('any', 'flow');
    const property = fc.property(settings, servers, items, flow, (others, inner, list, style) => {
      const render = (value: unknown) => stringifyYaml(value, { lineWidth: 0 });
      const flowing = (value: unknown) => `${render(others)}servers: ${JSON.stringify(value)}\n`;
      const isFlow = style === 'flow' && Object.keys(others).length > 0;
      const inMap = isFlow ? flowing(inner) : render({ ...others, servers: inner });
      const inList = isFlow ? flowing(list) : render({ ...others, servers: list });
      checkRoundTrip('yaml', inMap, ENTRY, parseYaml);
      checkRoundTrip('yaml', inList, NAMED, parseYaml);
    });
    fc.assert(property, options);
  });

  const TEXTS: [Format, string, string][] = [
    [
      'json',
      '{ // first\n  "servers": { // second\n    // third\n    "a": 1 // fourth\n    ,\n  }\n}',
      'comments',
    ],
    [
      'json',
      '/* a */ { /* b */ "servers" /* c */ : /* d */ { /* e */ } /* f */ , } // g',
      'comments on one line',
    ],
    ['json', '{\n  "servers": {\n    // nothing yet\n  }\n}', 'a container with only a comment'],
    ['json', ' \n', 'a blank file'],
    ['json', '', 'an empty file'],
    ['toml', '', 'an empty file'],
    [
      'toml',
      "a = [\n  [1],\n  [\"[servers.locus]\"],\n]\nb = '''\n[servers.locus]''''\n",
      'brackets that are no headers',
    ],
    ['toml', '# only a comment', 'no line end'],
    ['yaml', '', 'an empty file'],
    ['yaml', '# only a comment', 'only a comment'],
    ['yaml', 'servers:\n', 'no value'],
    ['yaml', 'servers: # none yet\nb: 1\n', 'no value and a comment'],
    ['yaml', 'servers:\n    # deep\n    a: {command: x}\r\n', 'four spaces'],
    [
      'yaml',
      '---\nb: |\n  servers:\n    locus: 1\nservers:\n  a:\n    command: x\n# end\n',
      'a text that looks like it',
    ],
  ];
  for (const [format, text, what] of TEXTS)
    it(`in ${format.toUpperCase()} with ${what}`, () => {
      const { edited, edit } = add(format, text, ENTRY);
      assert.ok(isSame(FORMATS[format].find(edited, ENTRY), ENTRY.value), edited);
      assert.equal(takeOutEdit(edited, edit), text);
      const left = FORMATS[format].remove(edited, ENTRY, edit.createdKeys);
      assert.equal(FORMATS[format].find(left, ENTRY), undefined);
      for (const [word] of text.matchAll(/\w+/g)) assert.ok(left.includes(word), left);
    });

  it('leaves no trailing comma in JSON that had none', () => {
    const { edited, edit } = add('json', '{\n  "servers": {}\n}\n', ENTRY);
    const changed = edited.replace('"servers": {', '"servers": {\n    "b": {},');
    assert.deepEqual(JSON.parse(takeOutEdit(changed, edit)), { servers: { b: {} } });
  });

  it('is removed with what others added to it', () => {
    const { edited, edit } = add('json', '{"servers":{"a":{}}}', ENTRY);
    const changed = edited.replace('"command"', '"disabled":true,"command"');
    assert.equal(takeOutEdit(changed, edit), '{"servers":{"a":{}}}');
  });
});
