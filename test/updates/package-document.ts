/** Returns what npm’s registry says about Locus, abbreviated as npm asks for it. */
export const packageDocument = (latest: unknown, change: object = {}) => ({
  name: 'locus-edit',
  modified: '2026-11-28T10:00:00.000Z',
  'dist-tags': { latest, next: '99.0.0-beta.1' },
  versions: {},
  ...change,
});
