import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reasons } from '../../src/shared/reasons.ts';
import type { Evidence } from '../../src/shared/types.ts';
import { COOKIES, searchResponse } from './sample.ts';

const span = (text: string) => [{ start: 0, end: text.length, text }];
const said = (evidence: Evidence, limit?: number) =>
  reasons({ ...searchResponse(COOKIES).results[0]!, evidence }, limit);

describe('reasons', () => {
  it('are the strongest signals in words, strongest first', () => {
    const evidence: Evidence = {
      dense: { value: 0.614, contribution: 0.5 },
      bm25: {
        value: 30,
        contribution: 1,
        detail: 'fields: body 24.6; words: s 9.1, the 5.0, max_delay 4.6, retry 3.0',
      },
      name: {
        value: 1,
        contribution: 2,
        spans: span('parse_cookie'),
        detail: 'the only definition',
      },
      called: { value: 1, contribution: 0.1, detail: 'called by #2 Request.cookies' },
    };
    assert.deepEqual(said(evidence), [
      '`parse_cookie` in the issue',
      'shares `max_delay` `retry`',
      'similar in meaning (0.61)',
    ]);
    assert.equal(said(evidence, 4)[3], 'called by #2 Request.cookies');
  });

  it('leave out what speaks against a chunk, what was not measured, and what it merely is', () => {
    assert.deepEqual(
      said({
        dense: { value: 0.1, contribution: -1 },
        path: { value: 0, contribution: 0.2 },
        length: { value: 7, contribution: 3 },
      }),
      [],
    );
  });

  it('tell of past commits by their subjects', () => {
    const detail = 'edited by a1b2c3d "Fix cookie path on redirect" (2021)';
    assert.deepEqual(
      said({
        historyChunk: { value: 2, contribution: 1, detail },
        churnFile: { value: 1, contribution: 0.5, detail: 'file changed once' },
      }),
      [detail, 'its file changes often'],
    );
  });

  it('name a path once', () => {
    const path = { value: 1, contribution: 1, spans: span('shop/http/cookies.py') };
    assert.deepEqual(said({ path, baseName: path }), [
      'its path `shop/http/cookies.py` in the issue',
    ]);
    assert.deepEqual(said({ baseName: { ...path, spans: span('cookies.py') } }), [
      'its file `cookies.py` in the issue',
    ]);
  });

  it('show signals that have no words yet as they are', () => {
    assert.deepEqual(
      said({ recency: { value: 3, contribution: 1, detail: 'changed last week' } }),
      ['recency: changed last week'],
    );
  });
});
