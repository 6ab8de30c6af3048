import type { LocusErrorCode } from '../shared/errors.ts';

/** What the process says on leaving. Scripts depend on these numbers: they never change meaning. */
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

/** For `--help`; `docs/cli.md` says the same at length. */
export const EXIT_CODE_HELP = `Exit codes:
  0    done
  1    nothing found: no result, no such function, an import with every entry gone, or a problem that doctor saw
  2    bad usage or input
  3    the repository cannot be read
  4    the index cannot be opened or written, or another process holds it
  5    the model or the device does not work
  6    an issue by link could not be fetched, or the engine of a fleet does not answer
  7    a list could not be posted to its issue
  8    object storage cannot be reached, read or written, or what is there is refused
  70   an unexpected failure: a defect in Locus
  74   the output cannot be written: a full disk, or an error of the device
  130  interrupted`;
