/** An issue, its event and its list. */
import type { RankedList } from '../../src/action/list.ts';

export const PROJECT = 'acme/shop';
export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** Event of an opened issue, as GitHub sends it. */
export const opened = (change: object = {}) => ({
  action: 'opened',
  issue: {
    number: 7,
    title: 'parse_cookie cuts a quoted value',
    body: 'The value is cut at a comma.\n',
    locked: false,
    labels: [{ name: 'bug' }],
    user: { login: 'stranger', type: 'User' },
    ...change,
  },
  repository: { full_name: PROJECT, fork: false },
});

export const list = (change: Partial<RankedList> = {}): RankedList => ({
  commit: COMMIT,
  functions: 1416,
  partial: null,
  results: [
    {
      path: 'src/http/cookies.py',
      name: 'parse_cookie',
      kind: 'function',
      startLine: 42,
      endLine: 60,
      reasons: ['the issue mentions `parse_cookie`', 'among the most similar in meaning'],
    },
  ],
  ...change,
});
