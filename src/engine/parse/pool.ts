import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { IdleTimer } from '../../base/idle-timer.ts';
import { linkThread, WorkerClient, WorkerExit } from '../../base/worker-client.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { CodeTokens } from '../../shared/code-tokens.ts';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { findLanguage, getUserLanguageFolder } from '../languages/index.ts';
import { resolveGrammarFile } from './grammar-file.ts';
import type { PackedFile, UnpackedFile } from './packed-file.ts';
import { OUT_OF_MEMORY } from './types.ts';
import type { ParserAnswer, ParserJob, ParserMethods } from './worker.ts';

export interface SourceFile {
  path: string;
  /** Content hash, returned with the parsed file. */
  hash: string;
  text: string;
}

/** Parsed file with its facts as JSON text of `FileFacts`. */
export interface PooledFile extends PackedFile {
  path: string;
  hash: string;
  /** Cause for which the file became one chunk of plain text; null if it was parsed. */
  failure: string | null;
}

export interface ParserPoolOptions {
  /** Number of threads; default: the number of processors, at most 8. */
  size?: number;
  /** Processor time for one file in milliseconds; default 10,000. A file of `UNITS_PER_TIMEOUT` gets twice as much, and so on. */
  fileTimeout?: number;
  /** Heap of one thread in megabytes; default 1,024. A file that needs more ends its thread, not the process. */
  maxHeap?: number;
  /** Memory of one thread's parser outside the heap, in megabytes; default 1,024. */
  maxMemory?: number;
  /** Milliseconds without a file after which the threads end; default ten minutes. The next file starts one again. */
  idleMs?: number;
}
/** A parsed file that `unpackFile` has unpacked. */
export type UnpackedPooledFile = Omit<PooledFile, keyof PackedFile> & UnpackedFile;

export interface UnparsedFile {
  path: string;
  cause: string;
}

/** Maximum number of files in a thread's queue: one being parsed, one waiting, and more if they are small. */
const MAX_QUEUED = 5;
/** UTF-16 units from which a queue of two files is full. An urgent file has to wait for the whole queue. */
const MAX_QUEUED_UNITS = 100_000;
/** Files read in advance for each thread, so that it finds one in a language it has loaded. */
const MAX_PENDING_PER_THREAD = 12;
const MAX_THREADS = 8;
/** As long as the data that speeds up edits is kept. */
const DEFAULT_IDLE_MS = 10 * 60_000;
/**
 * UTF-16 units to parse for each thread, so that a small repository has one thread. A thread takes up to 0.3 s of processor time
 * to start and to warm up. It then parses about 4,000,000 units a second.
 */
const UNITS_PER_THREAD = 500_000;
/** UTF-16 units for which a file gets the processor time of one more file. */
const UNITS_PER_TIMEOUT = 4 * 2 ** 20;
const MAX_SMALL_GRAMMAR = 1 << 20;
/** Elapsed time allowed for a file, as a multiple of its processor time, since other programs use the processors too. */
const MAX_CLOCK_FACTOR = 30;
/** Cause of a failure that is not the file's fault: its thread neither crashed nor ran out of memory. */
const THREAD_ENDED = 'the parser thread ended';
/** Maximum number of threads in a row that end before they are ready. After that no more are started. */
const MAX_FALSE_STARTS = 3;

/** Number of files on which a language that a user added may fail, each after the time for one file. Its others are plain text. */
const MAX_LANGUAGE_FAILURES = 3;

interface Task {
  file: Pick<SourceFile, 'path' | 'text'>;
  wanted: ParserJob['wanted'];
  /** Cause of the first failure, after which the file is taken as plain text; null on the first try. */
  failure: string | null;
  /** True if a thread ended while it had the file. The file is then parsed once more. */
  isRepeated: boolean;
  urgent: boolean;
  /** Called with the thread's result, and with the cause if the file became plain text. */
  resolve: (answer: ParserResult, failure: string | null) => void;
  reject: (error: Error) => void;
}

type ParserResult = Exclude<ParserAnswer, { failure: string }>;

/**
 * Worker threads that parse, started when there is work for them. If a file crashes its thread, needs too much memory or takes too long,
 * the thread is replaced and the file is taken as plain text. Files queued behind it are parsed normally.
 */
export class ParserPool {
  readonly size: number;
  private readonly limits: ThreadLimits;
  private readonly idleTimer: IdleTimer;
  private readonly threads = new Set<Thread>();
  private readonly waiting: Task[] = [];
  private closed = false;
  private falseStarts = 0;
  /** Numbers of files on which languages failed that users added. */
  private readonly failures = new Map<string, number>();
  /** UTF-16 units of the files since the threads were last idle. */
  private units = 0;

  constructor(options: ParserPoolOptions = {}) {
    this.size = Math.max(1, options.size ?? Math.min(availableParallelism(), MAX_THREADS));
    const { fileTimeout = 10_000, maxHeap = 1024, maxMemory = 1024 } = options;
    this.limits = { fileTimeout, maxHeap, maxMemory };
    const { idleMs = DEFAULT_IDLE_MS } = options;
    this.idleTimer = new IdleTimer(idleMs, () => void this.stopIdleThreads());
  }

  /**
   * Parses files and yields each as it is done. Reads a bounded number of files in advance, taking turns between the lists, so
   * that threads with different languages each find files in theirs.
   * @throws LocusError `cancelled` if the pool is closed meanwhile, `device` if no thread can be started
   */
  async *parse(
    lists: readonly (AsyncIterable<SourceFile> | Iterable<SourceFile>)[],
    onUnread: (file: UnparsedFile) => void = () => {},
  ): AsyncGenerator<PooledFile> {
    const limit = this.size * MAX_PENDING_PER_THREAD;
    const running = new Map<number, Promise<{ id: number; parsed: PooledFile | null }>>();
    let next = 0;
    const takeNext = async () => {
      const { id, parsed } = await Promise.race(running.values());
      running.delete(id);
      return parsed;
    };
    const skipUnread = (error: unknown) => {
      if (!(error instanceof UnreadableFileError)) throw error;
      onUnread(error.file);
      return null;
    };
    for await (const { file, done } of interleave(lists)) {
      const id = next++;
      const task = this.submit(file)
        .catch(skipUnread)
        .finally(done)
        .then((parsed) => ({ id, parsed }));
      // The rejection is reported by `takeNext`. If the consumer leaves earlier, it must not count as unhandled.
      task.catch(() => {});
      running.set(id, task);
      if (running.size < limit) continue;
      const parsed = await takeNext();
      if (parsed) yield parsed;
    }
    while (running.size > 0) {
      const parsed = await takeNext();
      if (parsed) yield parsed;
    }
  }

  parseOne(file: SourceFile): Promise<PooledFile> {
    return this.submit(file, true);
  }

  /** Starts the first thread, so that it is ready when the first files are read. */
  startThread(): void {
    if (!this.closed && this.threads.size === 0) this.start();
  }

  /**
   * Starts a thread and loads the main languages of these files. The first file in a language takes 0.1 to 0.5 s longer.
   * @param getSample returns some text in the language of a file. It is parsed if the grammar is small, since the next parse
   *   is then 50 ms faster.
   */
  async warmUp(paths: readonly string[], getSample = (_path: string) => ''): Promise<void> {
    for (const path of pickMainLanguageFiles(paths)) {
      if (this.hasLoaded(path)) continue;
      const text = isSmall(path) ? getSample(path) : '';
      // If a language cannot be loaded, parsing one of its files reports it.
      await this.parseOne({ path, hash: '', text }).catch(() => {});
    }
  }

  private hasLoaded(path: string): boolean {
    const name = findLanguage(path)?.name ?? '';
    return [...this.threads].some(({ languages }) => languages.has(name));
  }

  /** Stops idle threads to free their memory. They are started again when needed. */
  async stopIdleThreads(): Promise<void> {
    const idle = [...this.threads].filter((thread) => thread.tasks.length === 0);
    for (const thread of idle) this.threads.delete(thread);
    await Promise.all(idle.map((thread) => thread.end()));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.idleTimer.stop();
    const threads = [...this.threads];
    for (const task of this.waiting.splice(0)) task.reject(closedError());
    for (const task of threads.flatMap((thread) => thread.tasks.splice(0)))
      task.reject(closedError());
    await Promise.all(threads.map((thread) => thread.end()));
  }

  /** Returns the kinds of the names in a file, before all waiting files; empty if the parser fails on it. */
  async tokenize(file: Pick<SourceFile, 'path' | 'text'>): Promise<CodeTokens> {
    const { answer } = await this.enqueue(file, 'tokens', true);
    return 'tokens' in answer ? answer.tokens : [];
  }

  /** Returns the reason not to parse files of a language that failed too often; null to parse them. */
  private getRefusal(path: string): string | null {
    const name = findLanguage(path)?.name ?? '';
    return (this.failures.get(name) ?? 0) < MAX_LANGUAGE_FAILURES
      ? null
      : `its language ${name} failed on other files`;
  }

  private countFailure(path: string): void {
    const name = findLanguage(path)?.name ?? '';
    if (isUserLanguage(path)) this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
  }

  private async submit(file: SourceFile, urgent = false): Promise<PooledFile> {
    const { answer, failure } = await this.enqueue(file, 'chunks', urgent);
    if (!('parsed' in answer)) throw new Error(`Parsing ${file.path} returned no chunks.`);
    return { ...answer.parsed, path: file.path, hash: file.hash, failure };
  }

  private enqueue(
    file: Task['file'],
    wanted: Task['wanted'],
    urgent: boolean,
  ): Promise<{ answer: ParserResult; failure: string | null }> {
    if (this.closed) return Promise.reject(closedError());
    return new Promise((done, reject) => {
      const resolve: Task['resolve'] = (answer, failure) => done({ answer, failure });
      const task = { file, wanted, failure: null, isRepeated: false, urgent, resolve, reject };
      this.units += file.text.length;
      if (urgent) this.waiting.unshift(task);
      else this.waiting.push(task);
      this.assign();
    });
  }

  /** Assigns waiting files to threads: to idle ones first, then to new ones, then to the shortest queue. */
  private assign(): void {
    while (this.waiting.length > 0 && !this.closed) {
      let [thread] = [...this.threads].sort((a, b) => a.tasks.length - b.tasks.length);
      if ((!thread || thread.tasks.length > 0) && this.threads.size < this.getUsefulThreads()) {
        thread = this.start();
      }
      if (!thread || thread.isSupplied) return;
      const task = this.takeTask(thread);
      thread.add({ ...task, failure: task.failure ?? this.getRefusal(task.file.path) });
    }
  }

  /** Returns the number of threads that the files are worth. An urgent file does not wait for the others. */
  private getUsefulThreads(): number {
    if (this.waiting[0]?.urgent) return this.size;
    return Math.min(this.size, Math.max(1, Math.floor(this.units / UNITS_PER_THREAD)));
  }

  private takeTask(thread: Thread): Task {
    const others = [...this.threads].filter((other) => other !== thread);
    const elsewhere = new Set(others.flatMap(({ languages }) => [...languages]));
    const index = pickNextFile(thread.languages, elsewhere, this.waiting);
    return assertPresent(this.waiting.splice(index, 1)[0], 'a waiting file');
  }

  private start(): Thread {
    this.idleTimer.restart();
    const thread = new Thread(this.limits, {
      onReady: () => {
        this.falseStarts = 0;
      },
      onDone: () => {
        this.idleTimer.restart();
        if ([...this.threads].every(({ tasks }) => tasks.length === 0)) this.units = 0;
        this.assign();
      },
      onFail: (failed, cause) => this.replace(failed, cause),
    });
    this.threads.add(thread);
    return thread;
  }

  /** Removes a failed thread. Its file is taken as plain text by another thread, and rejected if that fails too. */
  private replace(thread: Thread, cause: string): void {
    this.threads.delete(thread);
    void thread.end();
    if (!thread.ready) {
      this.restart(thread, cause);
      return;
    }
    const [failed, ...behind] = thread.tasks.splice(0);
    if (failed) this.countFailure(failed.file.path);
    this.waiting.unshift(...behind);
    if (failed && cause === THREAD_ENDED && !failed.isRepeated)
      this.waiting.unshift({ ...failed, isRepeated: true, urgent: true });
    else if (failed?.failure === null)
      this.waiting.unshift({ ...failed, failure: cause, urgent: true });
    else failed?.reject(new UnreadableFileError({ path: failed.file.path, cause }));
    this.assign();
  }

  /** Queues the files of a thread that ended before it was ready. Rejects all files after too many such threads in a row. */
  private restart(thread: Thread, cause: string): void {
    this.waiting.unshift(...thread.tasks.splice(0));
    if (++this.falseStarts < MAX_FALSE_STARTS) this.assign();
    if (this.falseStarts < MAX_FALSE_STARTS || this.threads.size > 0) return;
    this.falseStarts = 0;
    const error = new LocusError(
      'device',
      `No parser thread could be started: ${cause}.`,
      'Close other programs, or allow more memory and threads. Run locus doctor for details.',
    );
    for (const task of this.waiting.splice(0)) task.reject(error);
  }
}

/** Returns one file for each language that has at least a quarter of these files. */
export function pickMainLanguageFiles(paths: readonly string[]): string[] {
  const byLanguage = Map.groupBy(paths, (path) => findLanguage(path)?.name);
  byLanguage.delete(undefined);
  return [...byLanguage.values()]
    .filter(({ length }) => 4 * length >= paths.length)
    .flatMap(([first]) => first ?? []);
}

/** Returns true if V8 needs little memory to compile the grammar. Some grammars briefly take hundreds of megabytes. */
function isSmall(path: string): boolean {
  const language = findLanguage(path);
  try {
    return language !== null && statSync(resolveGrammarFile(language)).size < MAX_SMALL_GRAMMAR;
  } catch {
    return false; // The grammar is not installed. Parsing reports it.
  }
}

/** Yields from several lists, always from the one with the fewest pending files. The consumer calls `done` for each file. */
async function* interleave<T>(
  lists: readonly (AsyncIterable<T> | Iterable<T>)[],
): AsyncGenerator<{ file: T; done: () => void }> {
  const open = lists.map((list) => ({ iterator: iterate(list), pending: 0 }));
  try {
    while (open.length > 0) {
      const list = open.reduce((least, one) => (one.pending < least.pending ? one : least));
      const { value: file, done: ended } = await list.iterator.next();
      if (ended) {
        open.splice(open.indexOf(list), 1);
        continue;
      }
      list.pending++;
      yield { file, done: () => list.pending-- };
    }
  } finally {
    await Promise.all(open.map(({ iterator }) => iterator.return(undefined)));
  }
}

async function* iterate<T>(list: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  yield* list;
}

/**
 * Returns the index of the file that a thread takes next: the first in a language that it has loaded, else in one that no
 * other thread has loaded, else the first. Languages are divided among threads because each needs memory for its grammars.
 */
export function pickNextFile(
  loaded: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
  waiting: readonly { file: { path: string }; urgent: boolean }[],
): number {
  if (waiting[0]?.urgent) return 0;
  const names = waiting.map(({ file }) => findLanguage(file.path)?.name ?? '');
  const firstLoaded = names.findIndex((name) => loaded.has(name));
  if (firstLoaded >= 0) return firstLoaded;
  const firstFree = names.findIndex((name) => !elsewhere.has(name));
  return Math.max(0, firstFree);
}

class UnreadableFileError extends LocusError {
  readonly file: UnparsedFile;

  constructor(file: UnparsedFile) {
    const text = `${file.path} cannot be indexed, even as plain text: ${file.cause}.`;
    super('bad-input', text, 'Exclude the file.');
    this.file = file;
  }
}

/** Returns the error for a file whose language a user added, and which has a bad grammar or query. The other files are indexed. */
function createUnreadable(path: string, { message }: Error): UnreadableFileError {
  return new UnreadableFileError({ path, cause: message.replace(/\.$/, '') });
}

const isUserLanguage = (path: string) => findLanguage(path)?.content !== undefined;

type ThreadLimits = Required<Omit<ParserPoolOptions, 'size' | 'idleMs'>>;

interface ThreadEvents {
  onReady: () => void;
  onDone: () => void;
  /** Called when the thread is unusable. Its first task caused the failure. */
  onFail: (thread: Thread, cause: string) => void;
}

/** One worker with its queue of files, the first of which is being parsed. */
class Thread {
  readonly tasks: Task[] = [];
  readonly languages = new Set<string>();
  private readonly worker: Worker;
  private readonly client: WorkerClient<ParserMethods>;
  private isEnded = false;
  private readonly limits: ThreadLimits;
  private readonly events: ThreadEvents;
  ready = false;
  private timer: NodeJS.Timeout | undefined;
  /** Number of the current file, by which a timer knows whether its own is still being parsed. */
  private turn = 0;

  constructor(limits: ThreadLimits, events: ThreadEvents) {
    this.limits = limits;
    this.events = events;
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'parser',
      // Parsing makes much garbage. Without a limit, the young generation doubles the engine's memory.
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: limits.maxHeap },
    });
    this.client = new WorkerClient(linkThread(this.worker), {
      explainEnd: (reason) => reason,
      onEnd: (reason) => this.fail(reason),
    });
    const languages = getUserLanguageFolder();
    this.client.call('start', { maxMemory: limits.maxMemory, languages }).then(
      () => {
        this.ready = true;
        events.onReady();
        this.watch();
      },
      // The thread has ended, which `onEnd` reports.
      () => {},
    );
  }

  get isSupplied(): boolean {
    const { length } = this.tasks;
    const units = this.tasks.reduce((sum, { file }) => sum + file.text.length, 0);
    return length >= MAX_QUEUED || (length >= 2 && units >= MAX_QUEUED_UNITS);
  }

  add(task: Task): void {
    this.tasks.push(task);
    const language = findLanguage(task.file.path);
    if (language) this.languages.add(language.name);
    const { path, text } = task.file;
    const plain = task.failure !== null;
    void this.run({ path, text, wanted: task.wanted, plain });
    if (this.tasks.length === 1) this.watch();
  }

  async end(): Promise<void> {
    this.turn++;
    clearTimeout(this.timer);
    this.isEnded = true;
    await this.client.kill(closedError());
  }

  /** Sends a file to the thread, and settles its task. */
  private async run(job: ParserJob): Promise<void> {
    const answer = await this.client.call('parse', job).catch((error: Error) => error);
    const isRefused = answer instanceof LocusError;
    // `onEnd` reports that the thread has ended.
    if (this.isEnded || (answer instanceof Error && !isRefused)) return;
    clearTimeout(this.timer);
    if ('failure' in answer) {
      this.events.onFail(this, answer.failure);
      return;
    }
    const { failure, resolve, reject } = assertPresent(this.tasks.shift(), 'the file of an answer');
    this.watch();
    this.events.onDone();
    if (isRefused) reject(isUserLanguage(job.path) ? createUnreadable(job.path, answer) : answer);
    else resolve(answer, failure);
  }

  private fail(reason: NodeJS.ErrnoException): void {
    if (this.isEnded) return;
    const isFull = reason.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const cause = isFull ? OUT_OF_MEMORY : reason.message;
    this.events.onFail(this, reason instanceof WorkerExit ? THREAD_ENDED : cause);
  }

  private watch(): void {
    const turn = ++this.turn;
    if (this.tasks.length > 0 && this.ready) void this.limitTime(turn);
  }

  /** Fails the file of this turn once it has used the processor time of one file. */
  private async limitTime(turn: number): Promise<void> {
    const units = this.tasks[0]?.file.text.length ?? 0;
    const fileTimeout = this.limits.fileTimeout * (1 + units / UNITS_PER_TIMEOUT);
    const start = performance.now();
    const before = await this.readWorkedTime();
    const checkTime = async (): Promise<void> => {
      const left = fileTimeout - ((await this.readWorkedTime()) - before);
      if (turn !== this.turn) return;
      if (left > 0 && performance.now() - start < fileTimeout * MAX_CLOCK_FACTOR)
        wait(left, checkTime);
      // If the pool's own thread was busy, the answer may be queued behind this timer, so let it arrive first.
      else wait(10, async () => this.events.onFail(this, 'parsing took too long'));
    };
    const wait = (milliseconds: number, then: () => Promise<void>) => {
      if (turn === this.turn) this.timer = setTimeout(() => void then(), Math.ceil(milliseconds));
    };
    wait(fileTimeout, checkTime);
  }

  /** Returns the worker's processor time in milliseconds, 0 once it has ended; elapsed time if Node cannot tell. */
  private async readWorkedTime(): Promise<number> {
    if (!('cpuUsage' in this.worker)) return performance.now();
    const { user, system } = await this.worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  }
}

function closedError(): LocusError {
  return cancelled('Parsing', 'Open the repository again.');
}
