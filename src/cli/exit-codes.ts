import type { LocusErrorCode } from '../shared/errors.ts';

/** Exit codes of the process. Scripts depend on them: their meaning must not change. */
export const EXIT = {
  ok: 0,
  nothingFound: 1,
  usage: 2,
  repository: 3,
  store: 4,
  model: 5,
  notFetched: 6,
  notPosted: 7,
  objects: 8,
  unexpected: 70,
  output: 74,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_BY_ERROR: Record<LocusErrorCode, ExitCode> = {
  'bad-input': EXIT.usage,
  ambiguous: EXIT.usage,
  'not-found': EXIT.nothingFound,
  'bad-repository': EXIT.repository,
  'bad-store': EXIT.store,
  'read-only': EXIT.store,
  busy: EXIT.store,
  'bad-model': EXIT.model,
  device: EXIT.model,
  'not-fetched': EXIT.notFetched,
  'not-posted': EXIT.notPosted,
  'bad-objects': EXIT.objects,
  'bad-output': EXIT.output,
  cancelled: EXIT.interrupted,
};

/** Text for `--help`. `docs/reference/cli.md` explains the codes in detail. */
export const EXIT_CODE_HELP = `Exit codes:
  0    success
  1    nothing found: no result, no such function, every entry of an import gone, or a problem found by doctor
  2    invalid usage or input, or a Node version that is too old
  3    the repository cannot be read
  4    the index cannot be opened or written, or another process is using it
  5    the model or the device does not work
  6    an issue or the newest version could not be fetched, or the Milvus server of a fleet does not answer
  7    the list could not be posted to its issue
  8    object storage cannot be reached, read or written, or its content is invalid
  70   unexpected failure: a defect in Locus
  74   the output cannot be written: full disk or device error
  130  interrupted`;
