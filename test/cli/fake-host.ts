import { runCli } from '../../src/cli/program.ts';
import type { CliHost } from '../../src/cli/session.ts';
import type { DoctorOptions, DoctorReport } from '../../src/services/doctor.ts';
import type { OpenRepositoryOptions } from '../../src/services/open-repository.ts';
import type { HashedChunk } from '../../src/shared/chunk.ts';
import type { ChunkDetail } from '../../src/shared/detail.ts';
import { cancelled, LocusError } from '../../src/shared/errors.ts';
import type { MatchingFunction } from '../../src/shared/grep.ts';
import type { IndexProgress, IndexReport } from '../../src/shared/indexing.ts';
import type { PackageInfo } from '../../src/shared/packages.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { Reranking } from '../../src/shared/search.ts';
import { NOT_REFINED, searchResponse } from '../exchange/sample.ts';

/** Requests that the fake engine received, and the answers it gives. */
export interface Fake {
  chunks: HashedChunk[];
  progress: IndexProgress[];
  notes: string[];
  doctor: DoctorReport;
  /** Outcome of reranking in its searches. */
  refined: Reranking;
  packages: PackageInfo[];
  /** True if no test reaches any chunk. */
  untested: boolean;
  /** Process that writes the index meanwhile; undefined if none does. */
  writer?: number | null;
  /** Error that `index` throws, if set. */
  failure: Error | null;
  opened: { root: string; options: OpenRepositoryOptions }[];
  searched: Parameters<Repository['search']>[0][];
  indexed: number;
  closed: number;
}

export interface Setting {
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Command that started the program. */
  program?: string;
  /** Columns of the terminal of standard output and standard error. Default: a pipe. */
  terminal?: number;
  /** True if standard input is also a terminal. */
  seated?: boolean;
  signal?: AbortSignal;
}

export function fakeEngine(chunks: HashedChunk[], more: Partial<Fake> = {}): Fake {
  return {
    chunks,
    progress: [],
    notes: [],
    doctor: {
      version: '0.0.0',
      platform: 'test',
      checks: [],
      log: { folder: '/data/logs', lines: [], errors: 0, warnings: 0 },
    },
    refined: NOT_REFINED,
    packages: [],
    untested: false,
    failure: null,
    opened: [],
    searched: [],
    indexed: 0,
    closed: 0,
    ...more,
  };
}

/** Runs the command line on a fake engine. */
export async function locus(fake: Fake, args: string[], setting: Setting = {}) {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTTY: setting.terminal !== undefined,
    columns: setting.terminal,
  });
  const host: CliHost = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: Object.assign(
      (async function* () {
        yield Buffer.from(setting.stdin ?? '');
      })(),
      { isTTY: setting.seated === true },
    ),
    program: setting.program,
    env: setting.env ?? {},
    signal: setting.signal ?? new AbortController().signal,
    openRepository: async (root, options) => {
      fake.opened.push({ root, options });
      return repository(fake);
    },
    diagnose: async (_options: DoctorOptions) => fake.doctor,
  };
  const exitCode = await runCli(args, host);
  return { exitCode, ...written, json: () => JSON.parse(written.stdout) };
}

const REPORT: IndexReport = {
  files: 9,
  chunks: 40,
  edges: 60,
  filesParsed: 9,
  filesRemoved: 0,
  chunksEncoded: 40,
  skipped: 1,
  submodules: [],
  seconds: { firstSearch: 0.2, total: 0.4, phases: {} },
  device: 'cpu',
  notes: [],
};

function repository(fake: Fake): Repository {
  const find = (name: string): HashedChunk => {
    const chunk = fake.chunks.find(
      ({ address, qualifiedName }) => address === name || qualifiedName === name,
    );
    if (!chunk) throw new LocusError('not-found', `there is no chunk ${name}`, 'see locus search');
    return chunk;
  };
  return {
    async index({ onProgress, onWait, signal } = {}) {
      fake.indexed++;
      if (fake.writer !== undefined) await onWait?.(fake.writer);
      for (const progress of fake.progress) onProgress?.(progress);
      if (fake.failure) throw fake.failure;
      if (signal?.aborted) throw cancelled('Indexing');
      return { ...REPORT, notes: fake.notes };
    },
    async watch({ onIndexed, onUpdate }) {
      onIndexed?.({ ...REPORT, notes: fake.notes });
      onUpdate?.({
        changed: ['a.py'],
        removed: [],
        chunksEncoded: 2,
        searchableMs: 40,
        totalMs: 90,
      });
      // As after a commit.
      onUpdate?.({ changed: [], removed: [], chunksEncoded: 0, searchableMs: 40, totalMs: 90 });
    },
    async embedForReranking() {
      if (fake.failure) throw fake.failure;
      return { functions: 35, embedded: 12, seconds: 0.9 };
    },
    async search(request) {
      fake.searched.push(request);
      return { ...searchResponse(fake.chunks.slice(0, request.limit)), reranking: fake.refined };
    },
    show: async ({ chunk }) => detailOf(find(chunk)),
    find: async ({ query, limit }) =>
      fake.chunks.filter((chunk) => chunk.name.includes(query)).slice(0, limit),
    grep: async ({ pattern, limit = 20 }) => {
      const matching = fake.chunks.filter(({ name }) => name.includes(pattern));
      const functions = matching.slice(0, limit).map((chunk): MatchingFunction => {
        const text = `def ${chunk.name}(\u001b)`;
        const end = 4 + pattern.length;
        const spans: [number, number][] = [[4, end]];
        const lines = [{ line: chunk.startLine, column: 4, text, spans }];
        return { ...chunk, lines, hidden: 2, named: 'part', callers: 1 };
      });
      const found = matching.length;
      return {
        functions,
        files: [],
        total: {
          ...{ matches: 3 * found, lines: 3 * found, functions: found },
          ...{ outside: 0, files: found, searched: 9 },
        },
        note: 'Not searched: `blob.py` (binary).',
      };
    },
    file: async ({ path }) => {
      const chunks = fake.chunks.map((chunk) => ({ ...chunk, headerLine: chunk.startLine }));
      return { path, text: '', language: 'python', role: 'source', chunks };
    },
    neighbors: async ({ chunk }) => {
      const [center, other] = [find(chunk), fake.chunks[1]!];
      const site = { line: 12, column: 4 };
      return {
        center: center.address,
        nodes: [
          { ...center, distance: 0, hidden: 0 },
          { ...other, distance: -1, hidden: 3 },
        ],
        edges: [
          {
            caller: other.address,
            callee: center.address,
            kind: 'call',
            guess: true,
            sites: [site],
          },
        ],
        note: null,
      };
    },
    tests: async ({ chunk, limit = 50 }) => {
      const [of, helper] = [find(chunk), fake.chunks[1]!];
      const near = {
        ...{ ...helper, qualifiedName: 'test_near', role: 'test' as const },
        ...{ distance: 1, next: of, guess: false },
      };
      const far = { ...near, qualifiedName: 'test_far', distance: 2, next: helper, guess: true };
      const tests = fake.untested ? [] : [near, far].slice(0, limit);
      return { of, tests, hidden: fake.untested ? 0 : 2 - tests.length, between: 1, ended: null };
    },
    references: async () => {
      throw new Error('no command asks for references');
    },
    blame: async () => {
      throw new Error('no command asks who changed a line');
    },
    history: async () => {
      throw new Error('no command asks for the history of a function');
    },
    similar: async ({ chunk }) => {
      const [center, other] = [find(chunk), fake.chunks[1]!];
      return { center, chunks: [{ ...other, similarity: 0.834 }], compared: 1, pending: 2 };
    },
    impact: async ({ limit = 20 } = {}) => {
      const [chunk, other] = [fake.chunks[0]!, fake.chunks[1]!];
      const { path, qualifiedName } = chunk;
      const reason = { kind: 'call' as const, line: 12, strength: 1 };
      const text = 'calls `parse_cookie`, whose signature changed';
      const suggestion = { ...other, reasons: [{ ...reason, text }] };
      const test = { ...other, qualifiedName: 'test_near', role: 'test' as const };
      return {
        edited: [{ path, qualifiedName, change: 'signature', formerName: null, chunk }],
        suggestions: [suggestion].slice(0, limit),
        hidden: 2,
        tests: [{ ...test, distance: 1, guess: true, inDiff: true }],
        hiddenTests: 1,
        unindexed: ['notes.txt'],
        placed: 1,
        note: 'Not in the index: `notes.txt`.',
      };
    },
    resolveAnchors: async ({ anchors }) =>
      anchors.map(({ path, qualifiedName, contentHash }) => {
        const inPlace = fake.chunks.find(
          (chunk) => chunk.path === path && chunk.qualifiedName === qualifiedName,
        );
        const sameContent = fake.chunks.filter(
          (chunk) => chunk !== inPlace && chunk.contentHash === contentHash,
        );
        return { sameAddress: inPlace ?? null, sameContent, sameName: [] };
      }),
    status: async () => ({
      root: '/shop',
      name: 'shop',
      revision: null,
      files: 9,
      chunks: 40,
      chunksByKind: { function: 20, method: 10, class: 5, module: 5, section: 0 },
      edges: 60,
      guessedEdges: 6,
      embedded: 40,
      filesWithErrors: 0,
      languages: [{ name: 'python', title: 'Python', files: 2 }],
      unread: [],
      commits: 0,
      packages: fake.packages,
      skipped: { binary: 1 },
      model: { id: 'bag-1', version: '0.1.0' },
      rerankModels: [],
      databasePath: '/data/index.db',
      databaseBytes: 123_456,
      state: 'complete',
      indexedAt: '2026-01-02T03:04:05.000Z',
      notes: [],
    }),
    skipped: async () => [{ path: 'blob\u001b.py', reason: 'binary', detail: 'a NUL byte at 12' }],
    async close() {
      fake.closed++;
    },
  };
}

function detailOf(chunk: HashedChunk): ChunkDetail {
  return {
    ...chunk,
    code: 'def parse_cookie(header):\n    return header\n',
    docstring: null,
    callers: [],
    callees: [],
    context: {
      model: 'bag-1',
      embedded: true,
      parts: [
        { role: 'path', text: chunk.path, tokens: 4, cut: 0, cutText: '' },
        { role: 'body', text: 'return header', tokens: 2, cut: 7, cutText: '.split(";")' },
      ],
    },
  };
}
