import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exportResults } from '../../src/services/exchange/export.ts';
import { parseList } from '../../src/services/exchange/import.ts';
import { listJsonSchema } from '../../src/services/exchange/list.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { COOKIES, chunk, exportInput, ISSUE } from './sample.ts';

const published = JSON.parse(
  readFileSync(new URL('../../docs/schema/locus-export.schema.json', import.meta.url), 'utf8'),
);
const validator = new Ajv2020({ strict: false, validateFormats: false }).compile(published);
const validate = (value: unknown): boolean => validator(value);

describe('the published schema', () => {
  it('is up to date (otherwise: locus export --schema > docs/schema/locus-export.schema.json)', () => {
    assert.deepEqual(published, listJsonSchema());
  });

  it('accepts exported lists, and rejects a list without content hashes', () => {
    const list = JSON.parse(exportResults('json', exportInput(COOKIES)));
    assert.ok(validate(list), JSON.stringify(validator.errors));
    delete list.chunks[0].contentHash;
    assert.equal(validate(list), false);
  });
});

describe('an exported list', () => {
  it('keeps marks, notes, evidence and the issue', () => {
    const marks = new Map([
      [COOKIES[0]!.address, { mark: 'edit' as const, note: 'the quotes\nare here' }],
    ]);
    const text = exportResults(
      'json',
      exportInput(COOKIES, { marks, createdAt: '2026-01-02T03:04:05.000Z' }),
    );
    const list = parseList(text, 'list.json');
    assert.equal(list.issue.text, ISSUE);
    assert.equal(list.repository.name, 'shop');
    assert.equal(list.repository.workingTree, true);
    assert.equal(list.chunks.length, 2);
    const [first] = list.chunks;
    assert.equal(first!.mark, 'edit');
    assert.equal(first!.note, 'the quotes\nare here');
    assert.equal(first!.contentHash, COOKIES[0]!.contentHash);
    assert.equal(first!.evidence.dense!.contribution, 1.2);
  });

  it('takes its title from the issue, not from a comment of the issue template', () => {
    const issue = `<!-- Search before you report. -->\n${ISSUE}`;
    for (const format of ['markdown', 'json', 'sarif'] as const) {
      const text = exportResults(format, exportInput(COOKIES, { issue }));
      assert.match(text, /(edit: `|"title": ?"|for `)Quoted cookies are cut/, format);
    }
  });

  it('holds no absolute path', () => {
    assert.doesNotMatch(exportResults('json', exportInput(COOKIES)), /secret/);
  });

  it('keeps malicious names unchanged, but never sends their control characters to a terminal', () => {
    const name = 'f\u001b]0;x\u0007\u202e\u0085';
    const text = exportResults('json', exportInput([chunk('a.py', name, 'x')]));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.equal(parseList(text, 'list.json').chunks[0]!.qualifiedName, name);
  });
});

describe('a file that is not a list', () => {
  const list = () => JSON.parse(exportResults('json', exportInput(COOKIES)));
  const refusal = (text: string) => {
    try {
      parseList(text, 'list.json');
    } catch (error) {
      assert.ok(error instanceof LocusError);
      assert.equal(error.code, 'bad-input');
      assert.notEqual(error.remedy, '');
      return error.message;
    }
    throw new assert.AssertionError({ message: 'it was accepted' });
  };

  it('is rejected with the location of the error', () => {
    assert.match(refusal('rank,path'), /list\.json is not JSON: it begins with “rank,path”\.$/);
    assert.match(refusal(' \n'), /list\.json is empty\.$/);
    assert.match(
      refusal('{\n  "format": "locus-export",\n  version: 2\n}'),
      /line 3, column 3 cannot be read\.$/,
    );
    assert.match(refusal(JSON.stringify(list()).slice(0, 900)), /it ends too early\.$/);
    assert.match(refusal('\ufffd\ufffd{\0}'), /it is not UTF-8 text\.$/);
    for (const [format, said] of [
      ['markdown', 'Markdown'],
      ['csv', 'CSV'],
    ] as const) {
      const text = exportResults(format, exportInput(COOKIES));
      assert.match(refusal(text), new RegExp(`is not JSON but a list in ${said}\\.$`));
    }
    assert.match(refusal(exportResults('sarif', exportInput(COOKIES))), /it is SARIF/);
    assert.match(refusal('[1, 2]'), /not a Locus list/);
    assert.match(refusal('{"version": "2.1.0", "runs": []}'), /not a Locus list/);
    assert.match(
      refusal(JSON.stringify({ ...list(), version: 3 })),
      /version 3\. This version of Locus reads version 2/,
    );
    const damaged = list();
    damaged.chunks[1].startLine = 0;
    assert.match(
      refusal(JSON.stringify(damaged)),
      /damaged: “startLine” of result 2 should be a number, at least 1, but is 0\.$/,
    );
  });

  it('is rejected with the expected value, in plain words', () => {
    const wrong: [change: (entry: Record<string, unknown>) => void, says: RegExp][] = [
      [(entry) => delete entry.path, /“path” of result 1 is missing\. It should be text\.$/],
      [
        (entry) => Object.assign(entry, { kind: 'trait' }),
        /one of function, method, class, module, section, but is "trait"\.$/,
      ],
      [
        (entry) => Object.assign(entry, { contentHash: 'x' }),
        /a hash of 40 digits and letters a to f, but is "x"\.$/,
      ],
      [
        (entry) => Object.assign(entry, { score: '1' }),
        /“score” of result 1 should be a number, but is "1"\.$/,
      ],
      [(entry) => Object.assign(entry, { path: '' }), /text of at least 1 character, but is ""\.$/],
    ];
    for (const [change, says] of wrong) {
      const broken = list();
      change(broken.chunks[0]);
      assert.match(refusal(JSON.stringify(broken)), says);
    }
    assert.match(
      refusal(JSON.stringify({ ...list(), chunks: {} })),
      /“chunks” should be a list, but is an object\.$/,
    );
  });

  it('is accepted with fields that a later minor version added', () => {
    const later = { ...list(), reviewers: ['ann'] };
    assert.equal(parseList(JSON.stringify(later), 'list.json').chunks.length, 2);
    assert.ok(validate(later));
  });

  it('is rejected with a remedy if it has another version', () => {
    assert.match(
      refusal(JSON.stringify({ ...list(), version: 1 })),
      /version 1\. This version of Locus reads/,
    );
    assert.match(
      refusal(JSON.stringify({ ...list(), version: 99 })),
      /version 99\. This version of Locus reads/,
    );
    const damaged = { ...list(), chunks: [{ ...list().chunks[0], startLine: 0 }] };
    assert.match(refusal(JSON.stringify(damaged)), /damaged: “startLine” of result 1/);
  });

  it('is accepted with a byte-order mark', () => {
    assert.equal(parseList(`\ufeff${JSON.stringify(list())}`, 'list.json').chunks.length, 2);
  });
});
