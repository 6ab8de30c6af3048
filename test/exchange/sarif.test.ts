import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import type { Log } from 'sarif';
import { exportResults } from '../../src/services/exchange/export.ts';
import { COOKIES, chunk, exportInput } from './sample.ts';

/**
 * The schema of SARIF 2.1.0 as the standard's committee published it, in the copy that Microsoft's SARIF
 * matchers carry (https://github.com/microsoft/sarif-js-sdk, MIT). It is written for draft 4 of JSON Schema; of
 * the differences from draft 7, which Ajv reads, it touches only the name of `id`.
 */
function sarifSchema(): object {
  const require = createRequire(import.meta.url);
  const path = require
    .resolve('@microsoft/jest-sarif')
    .replace(/index\.js$/, 'schemas/sarif-2.1.0-rtm.5.json');
  const { id, $schema, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  assert.equal($schema, 'http://json-schema.org/draft-04/schema#');
  return { $id: id, ...schema };
}

const validate = new Ajv({
  strict: false,
  unicodeRegExp: false, // one pattern of the schema has a stray bracket, an error only with the u flag
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-reference': (text: string) =>
      URL.canParse(text, 'file:///') && !/[\s<>"{}|\\^`]/.test(text),
    'date-time': (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text),
  },
}).compile<Log>(sarifSchema());

function validLog(text: string): Log {
  const log: unknown = JSON.parse(text);
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 2));
  return log;
}

describe('SARIF', () => {
  it('is valid by the published schema', () => {
    validLog(
      exportResults('sarif', exportInput(COOKIES, { createdAt: '2026-01-02T03:04:05.678Z' })),
    );
    const input = exportInput([]);
    const unread = { path: 'src/Tree.vue', reason: 'unsupported', detail: 'Vue' } as const;
    input.response.issue.unindexed = [{ start: 0, end: 8, text: 'Tree.vue', ...unread }];
    validLog(exportResults('sarif', input));
    validLog(exportResults('sarif', exportInput([])));
  });

  it('has a note at each location, relative to the root, and no absolute path', () => {
    const text = exportResults('sarif', exportInput(COOKIES));
    const [first] = validLog(text).runs[0]!.results!;
    assert.equal(first!.level, 'note');
    assert.deepEqual(first!.locations![0]!.physicalLocation, {
      artifactLocation: { uri: 'shop/http/cookies.py', uriBaseId: 'SRCROOT' },
      region: { startLine: 42, endLine: 45 },
    });
    assert.equal(first!.partialFingerprints!['locusContent/v1'], COOKIES[0]!.contentHash);
    assert.doesNotMatch(text, /secret/);
  });

  it('is valid for names that are not URIs or contain control characters', () => {
    const odd = chunk('a b/100%/\u202egnp.py', 'f\u001b[31m', 'x');
    const [result] = validLog(exportResults('sarif', exportInput([odd]))).runs[0]!.results!;
    const { uri } = result!.locations![0]!.physicalLocation!.artifactLocation!;
    assert.equal(decodeURIComponent(uri!), odd.path);
  });

  it('shows the text of issues and names literally, without links and placeholders', () => {
    const textFor = (title: string, name = 'f') => {
      const input = exportInput([chunk('a.py', name, 'x')], { issue: title });
      const [result] = validLog(exportResults('sarif', input)).runs[0]!.results!;
      return result!.message.text!;
    };
    assert.match(textFor('see [here](https://evil.example) {0} or {x'), /\\\[here\\\]\(https/);
    assert.match(textFor('takes {0} and } and {{'), /takes \{\{0\}\} and \}\} and \{\{\{\{`/);
    assert.match(textFor('[a', 'b](c'), /b\\\]\(c` .*`\\\[a`/, 'made of two parts');
    assert.match(textFor('a\\[x](y)'), /a\\\\\\\[x\\\]\(y\)/, 'a backslash undoes no escape');
    assert.match(textFor('list[int] fails'), /list\[int\] fails/, 'no link, so nothing to escape');
  });

  it('is rejected by the schema if a required field is missing', () => {
    const log = JSON.parse(exportResults('sarif', exportInput(COOKIES)));
    delete log.runs[0].results[0].message;
    assert.equal(validate(log), false);
  });
});
