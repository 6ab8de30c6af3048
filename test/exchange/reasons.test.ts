import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Evidence, formatSignalNumbers, listReasons } from '../../src/shared/evidence.ts';
import { evidence } from './sample.ts';

const said = (found: Evidence, limit?: number) => listReasons({ evidence: found }, limit);

describe('reasons', () => {
  const found: Evidence = {
    dense: evidence('meaning', 'Similar', { value: 0.6, contribution: 0.5, sentence: 'similar' }),
    name: evidence('names', 'Named', { value: 1, contribution: 2, sentence: 'named' }),
    called: evidence('calls', 'Called', { value: 1, contribution: 0.1, sentence: 'called' }),
  };

  it('come from the strongest signals, strongest first', () => {
    assert.deepEqual(said(found), ['named', 'similar', 'called']);
    assert.deepEqual(said(found, 1), ['named']);
  });

  it('omit signals that count against a chunk or are not reasons', () => {
    const against = evidence('words', 'Words', { value: 1, contribution: -1, sentence: 'words' });
    const merely = evidence('kind', 'Length', { value: 7, contribution: 3 });
    assert.deepEqual(said({ against, merely }), []);
  });
});

describe('figures of evidence', () => {
  it('include fields and words, with the word that an abbreviation stands for', () => {
    const words = [
      { word: 'max_delay', score: 4.6 },
      { word: 'rm', score: 0.4, of: 'delete' },
    ];
    const fields = [{ field: 'body', score: 24.6 }];
    const both = evidence('words', 'Words', { value: 30, contribution: 1, words, fields });
    assert.equal(formatSignalNumbers(both), 'body 24.6; max_delay 4.6, rm 0.4 (delete)');
    assert.equal(
      formatSignalNumbers(evidence('words', 'Words', { value: 30, contribution: 1 })),
      '',
    );
  });
});
