import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Evidence,
  formatSignalNumbers,
  listReasons,
  selectSentenceWords,
} from '../../src/shared/evidence.ts';
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

describe('too many reasons', () => {
  it('are reduced to those that point to a place in the issue first, then to the strongest', () => {
    const reason = (sentence: string, contribution: number, spans?: Evidence[string]['spans']) =>
      evidence('words', 'Words', { value: 1, contribution, sentence, ...(spans && { spans }) });
    const found = {
      dense: reason('similar', 4),
      bm25: reason('words', 3),
      history: reason('changed', 2),
      frame: reason('frame', 1, [{ start: 0, end: 5, text: 'a.py' }]),
    };
    assert.deepEqual(said(found, 3), ['similar', 'words', 'frame']);
    assert.deepEqual(said(found, 4), ['similar', 'words', 'changed', 'frame']);
  });
});

describe('reasons that point to the issue', () => {
  it('are left out if another reason points to the same place or to more of it', () => {
    const reason = (sentence: string, contribution: number, ...places: [number, number][]) =>
      evidence('names', 'Names', {
        value: 1,
        contribution,
        sentence,
        spans: places.map(([start, end]) => ({ start, end, text: '' })),
      });
    const found = {
      className: reason('its class', 4, [0, 5]),
      name: reason('its name', 3, [0, 11], [30, 35]),
      again: reason('its name again', 2, [0, 11], [30, 35]),
      path: reason('its path', 2, [50, 60]),
      frame: reason('the frame', 1, [40, 80]),
    };
    assert.deepEqual(said(found, 5), ['its name', 'the frame']);
  });
});

describe('the words of a sentence', () => {
  const select = (...words: string[]) =>
    selectSentenceWords(words.map((word) => ({ word }))).map(({ word }) => word);

  it('are the strongest three, without parts of others', () => {
    assert.deepEqual(select('a', 'b', 'c', 'd'), ['a', 'b', 'c']);
    assert.deepEqual(select('iter_content', 'iter', 'decode_unicode', 'unicode', 'size'), [
      'iter_content',
      'decode_unicode',
      'size',
    ]);
    assert.deepEqual(select('delay', 'wait', 'max_delay'), ['wait', 'max_delay']);
    assert.deepEqual(select('redirect', 'redirects', 'red'), ['redirects', 'red']);
  });

  it('are new, or the reason is left out', () => {
    const words = (list: string[], sentence: string, contribution: number) =>
      evidence('words', 'Words', {
        value: 1,
        contribution,
        sentence,
        words: list.map((word) => ({ word, score: 1 })),
      });
    const found = {
      bm25: words(['max_delay', 'wait'], 'first', 2),
      title: words(['delay'], 'second', 1),
    };
    assert.deepEqual(said(found), ['first']);
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
