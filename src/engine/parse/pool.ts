import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { linkThread, WorkerClient, WorkerExit } from '../../base/worker-client.ts';
import type { CodeTokens } from '../../shared/code-tokens.ts';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import { languageOf } from '../languages/index.ts';
import { grammarFile } from './grammar-file.ts';
import { OUT_OF_MEMORY } from './types.ts';
import type { Job, JobAnswer, ParsedMessage, ParserMethods } from './worker.ts';

export interface SourceFile {
  path: string;
  /** Content hash; handed through. */
  hash: string;
  text: string;
}

/** A parsed file, its facts as the JSON text of `FileFacts`. */
export interface PooledFile extends ParsedMessage {
  path: string;
  hash: string;
  /** Why the file is one chunk of plain text; null when it was parsed. */
  failure: string | null;
}

export interface ParserPoolOptions {
  /** Threads; by default as many as there are processors, at most 8. */
  size?: number;
  /** Milliseconds of processor time for one file; default 10,000. */
  fileTimeout?: number;
  /** Megabytes of heap for one thread: a file that needs more ends its thread, not the process. Default 1,024. */
  maxHeap?: number;
  /** Megabytes that the parser of one thread may take beside that; default 1,024. */
  maxMemory?: number;
}

export interface UnreadFile {
  path: string;
  cause: string;
}

/** Files handed to a thread at a time: one at work, one waiting, and more small ones, so that it does not idle. */
const AHEAD = 5;
/** UTF-16 units that are handed to a thread at a time, two files aside: what a person waits for is parsed after them. */
const AHEAD_UNITS = 100_000;
/** Files read ahead for each thread, so that it finds one in a language it has loaded. */
const READ_AHEAD = 12;
const MAX_THREADS = 8;
const SMALL_GRAMMAR = 1 << 20;
/** A file may take so many times as long by the clock: other programs have the processors as well. */
const PATIENCE = 30;
/** Cause of a failure that says nothing about the file: its thread neither crashed nor ran out of memory. */
const ENDED = 'the parser thread ended';
/** Threads in a row that end before they are ready, until no more are started. */
const MAX_FALSE_STARTS = 3;

interface Task {
  file: Pick<SourceFile, 'path' | 'text'>;
  wanted: Job['wanted'];
  /** Why this is the second try, as plain text. */
  failure: string | null;
  /** True if a thread ended while it had the file, which is tried once more as it was. */
  isRepeated: boolean;
  urgent: boolean;
  /** Told what the thread made of it, and why not all that was wanted, if so. */
  resolve: (answer: Answer, failure: string | null) => void;
  reject: (error: Error) => void;
}

type Answer = Exclude<JobAnswer, { failure: string }>;

/**
 * Worker threads that parse, started when they are first needed. A file that crashes its thread, needs more memory than
 * that may have or takes too long is taken as plain text, its thread replaced; the files that waited behind it are parsed
 * as if nothing had happened.
 */
export class ParserPool {
  readonly size: number;
  private readonly limits: ThreadLimits;
  private readonly threads = new Set<Thread>();
  private readonly waiting: Task[] = [];
  private closed = false;
  private falseStarts = 0;

  constructor(options: ParserPoolOptions = {}) {
    this.size = Math.max(1, options.size ?? Math.min(availableParallelism(), MAX_THREADS));
    const { fileTimeout = 10_000, maxHeap = 1024, maxMemory = 1024 } = options;
    this.limits = { fileTimeout, maxHeap, maxMemory };
  }

  /**
   * Parses files, yielding each as it is done. Reads ahead of the consumer by a bounded number of files, and of the lists as
   * evenly as they are used up: threads that know different languages each find theirs.
   * @throws LocusError `cancelled` when the pool is closed meanwhile, `device` when no thread can be started
   */
  async *parse(
    lists: readonly (AsyncIterable<SourceFile> | Iterable<SourceFile>)[],
    onUnread: (file: UnreadFile) => void = () => {},
  ): AsyncGenerator<PooledFile> {
    const limit = this.size * READ_AHEAD;
    const running = new Map<number, Promise<{ id: number; parsed: PooledFile | null }>>();
    let next = 0;
    const takeOne = async () => {
      const { id, parsed } = await Promise.race(running.values());
      running.delete(id);
      return parsed;
    };
    const unread = (error: unknown) => {
      if (!(error instanceof Unread)) throw error;
      onUnread(error.file);
      return null;
    };
    for await (const { file, done } of inStep(lists)) {
      const id = next++;
      const task = this.submit(file)
        .catch(unread)
        .finally(done)
        .then((parsed) => ({ id, parsed }));
      // A rejection is reported when the task's turn comes, even if the consumer leaves before that.
      task.catch(() => {});
      running.set(id, task);
      if (running.size < limit) continue;
      const parsed = await takeOne();
      if (parsed) yield parsed;
    }
    while (running.size > 0) {
      const parsed = await takeOne();
      if (parsed) yield parsed;
    }
  }

  parseOne(file: SourceFile): Promise<PooledFile> {
    return this.submit(file, true);
  }

  /**
   * Starts a thread and loads what these files are mostly written in: the first file in a language takes 0.1 to 0.5 s longer.
   * @param sampleOf some text in the language of a file, parsed if the grammar is small: what has run once runs faster, by 50 ms
   */
  async warm(paths: readonly string[], sampleOf = (_path: string) => ''): Promise<void> {
    for (const path of mostlyIn(paths)) {
      if (this.hasLoaded(path)) continue;
      const text = isSmall(path) ? sampleOf(path) : '';
      // What keeps a language from loading is told when one of its files is parsed.
      await this.parseOne({ path, hash: '', text }).catch(() => {});
    }
  }

  private hasLoaded(path: string): boolean {
    const name = languageOf(path)?.name ?? '';
    return [...this.threads].some(({ languages }) => languages.has(name));
  }

  /** Ends the threads that have nothing to do, for the memory they hold; they are started again when needed. */
  async rest(): Promise<void> {
    const idle = [...this.threads].filter((thread) => thread.tasks.length === 0);
    for (const thread of idle) this.threads.delete(thread);
    await Promise.all(idle.map((thread) => thread.end()));
  }

  async close(): Promise<void> {
    this.closed = true;
    const threads = [...this.threads];
    for (const task of this.waiting.splice(0)) task.reject(closedError());
    for (const task of threads.flatMap((thread) => thread.tasks.splice(0)))
      task.reject(closedError());
    await Promise.all(threads.map((thread) => thread.end()));
  }

  /** Returns the kinds of the names in a file, ahead of all that wait; none if the parser fails on it. */
  async tokens(file: Pick<SourceFile, 'path' | 'text'>): Promise<CodeTokens> {
    const { answer } = await this.enqueue(file, 'tokens', true);
    return 'tokens' in answer ? answer.tokens : [];
  }

  private async submit(file: SourceFile, urgent = false): Promise<PooledFile> {
    const { answer, failure } = await this.enqueue(file, 'chunks', urgent);
    if (!('parsed' in answer)) throw new Error(`No chunks came of ${file.path}.`);
    return { ...answer.parsed, path: file.path, hash: file.hash, failure };
  }

  private enqueue(
    file: Task['file'],
    wanted: Task['wanted'],
    urgent: boolean,
  ): Promise<{ answer: Answer; failure: string | null }> {
    if (this.closed) return Promise.reject(closedError());
    return new Promise((done, reject) => {
      const resolve: Task['resolve'] = (answer, failure) => done({ answer, failure });
      const task = { file, wanted, failure: null, isRepeated: false, urgent, resolve, reject };
      if (urgent) this.waiting.unshift(task);
      else this.waiting.push(task);
      this.assign();
    });
  }

  /** Gives waiting files to threads: to idle ones first, then to new ones, then behind another file. */
  private assign(): void {
    while (this.waiting.length > 0 && !this.closed) {
      let [thread] = [...this.threads].sort((a, b) => a.tasks.length - b.tasks.length);
      if ((!thread || thread.tasks.length > 0) && this.threads.size < this.size) {
        thread = this.start();
      }
      if (!thread || thread.isSupplied) return;
      thread.add(this.takeFor(thread));
    }
  }

  private takeFor(thread: Thread): Task {
    const others = [...this.threads].filter((other) => other !== thread);
    const elsewhere = new Set(others.flatMap(({ languages }) => [...languages]));
    const place = nextFor(thread.languages, elsewhere, this.waiting);
    return present(this.waiting.splice(place, 1)[0], 'a waiting file');
  }

  private start(): Thread {
    const thread = new Thread(this.limits, {
      onReady: () => {
        this.falseStarts = 0;
      },
      onDone: () => this.assign(),
      onFail: (failed, cause) => this.replace(failed, cause),
    });
    this.threads.add(thread);
    return thread;
  }

  /** Gives the file that a thread failed on to another as plain text. Rejects it after that. */
  private replace(thread: Thread, cause: string): void {
    this.threads.delete(thread);
    void thread.end();
    if (!thread.ready) {
      this.startAgain(thread, cause);
      return;
    }
    const [failed, ...behind] = thread.tasks.splice(0);
    this.waiting.unshift(...behind);
    if (failed && cause === ENDED && !failed.isRepeated)
      this.waiting.unshift({ ...failed, isRepeated: true, urgent: true });
    else if (failed?.failure === null)
      this.waiting.unshift({ ...failed, failure: cause, urgent: true });
    else failed?.reject(new Unread({ path: failed.file.path, cause }));
    this.assign();
  }

  /** A thread that never was ready says nothing against its files: they wait for another, as long as there may be one. */
  private startAgain(thread: Thread, cause: string): void {
    this.waiting.unshift(...thread.tasks.splice(0));
    if (++this.falseStarts < MAX_FALSE_STARTS) this.assign();
    if (this.falseStarts < MAX_FALSE_STARTS || this.threads.size > 0) return;
    this.falseStarts = 0;
    const error = new LocusError(
      'device',
      `No thread to parse in can be started: ${cause}`,
      'Close other programs, or allow more memory and threads; locus doctor says more.',
    );
    for (const task of this.waiting.splice(0)) task.reject(error);
  }
}

/** A file of each language that at least a quarter of these are in. */
export function mostlyIn(paths: readonly string[]): string[] {
  const of = Map.groupBy(paths, (path) => languageOf(path)?.name);
  of.delete(undefined);
  return [...of.values()]
    .filter(({ length }) => 4 * length >= paths.length)
    .flatMap(([first]) => first ?? []);
}

/** True if V8 compiles the grammar in little memory: some take hundreds of megabytes for a moment. */
function isSmall(path: string): boolean {
  const language = languageOf(path);
  try {
    return language !== null && statSync(grammarFile(language)).size < SMALL_GRAMMAR;
  } catch {
    return false; // It is not installed, which whoever parses is told.
  }
}

/** Yields from several lists, always from the one with the fewest under way; `done` says that one no longer is. */
async function* inStep<T>(
  lists: readonly (AsyncIterable<T> | Iterable<T>)[],
): AsyncGenerator<{ file: T; done: () => void }> {
  const open = lists.map((list) => ({ iterator: each(list), underWay: 0 }));
  try {
    while (open.length > 0) {
      const list = open.reduce((least, one) => (one.underWay < least.underWay ? one : least));
      const { value: file, done: ended } = await list.iterator.next();
      if (ended) {
        open.splice(open.indexOf(list), 1);
        continue;
      }
      list.underWay++;
      yield { file, done: () => list.underWay-- };
    }
  } finally {
    await Promise.all(open.map(({ iterator }) => iterator.return(undefined)));
  }
}

async function* each<T>(list: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, undefined> {
  yield* list;
}

/**
 * Place of the file that a thread takes next: the first in a language that it has loaded, else in one that no other thread
 * has, else the first. Queries take up to half a second to compile, so threads share the languages of a repository.
 */
export function nextFor(
  loaded: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
  waiting: readonly { file: { path: string }; urgent: boolean }[],
): number {
  if (waiting[0]?.urgent) return 0;
  const names = waiting.map(({ file }) => languageOf(file.path)?.name ?? '');
  const known = names.findIndex((name) => loaded.has(name));
  if (known >= 0) return known;
  const free = names.findIndex((name) => !elsewhere.has(name));
  return Math.max(0, free);
}

class Unread extends LocusError {
  readonly file: UnreadFile;

  constructor(file: UnreadFile) {
    const text = `${file.path} cannot be read even as plain text: ${file.cause}`;
    super('bad-input', text, 'Exclude the file.');
    this.file = file;
  }
}

type ThreadLimits = Required<Omit<ParserPoolOptions, 'size'>>;

interface ThreadEvents {
  onReady: () => void;
  onDone: () => void;
  /** The thread is of no more use; its first task is to blame. */
  onFail: (thread: Thread, cause: string) => void;
}

/** One worker with the files it was given, the first of which it is working on. */
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
  /** Counts files, so that a timer knows whether its own is still at hand. */
  private turn = 0;

  constructor(limits: ThreadLimits, events: ThreadEvents) {
    this.limits = limits;
    this.events = events;
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'parser',
      // Parsing makes much garbage: left to itself, the young generation grows to where it doubles the engine's memory.
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: limits.maxHeap },
    });
    this.client = new WorkerClient(linkThread(this.worker), {
      explainEnd: (reason) => reason,
      onEnd: (reason) => this.fail(reason),
    });
    this.client.call('start', { maxMemory: limits.maxMemory }).then(
      () => {
        this.ready = true;
        events.onReady();
        this.watch();
      },
      // The thread has ended, which the pool is told.
      () => {},
    );
  }

  get isSupplied(): boolean {
    const { length } = this.tasks;
    const units = this.tasks.reduce((sum, { file }) => sum + file.text.length, 0);
    return length >= AHEAD || (length >= 2 && units >= AHEAD_UNITS);
  }

  add(task: Task): void {
    this.tasks.push(task);
    const language = languageOf(task.file.path);
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

  /** Has the thread work on the file that was added last, and settles its task. */
  private async run(job: Job): Promise<void> {
    const answer = await this.client.call('parse', job).catch((error: Error) => error);
    const isRefused = answer instanceof LocusError;
    // The pool is told otherwise that the thread has ended.
    if (this.isEnded || (answer instanceof Error && !isRefused)) return;
    clearTimeout(this.timer);
    if ('failure' in answer) {
      this.events.onFail(this, answer.failure);
      return;
    }
    const { failure, resolve, reject } = present(this.tasks.shift(), 'the file of an answer');
    this.watch();
    this.events.onDone();
    if (isRefused) reject(answer);
    else resolve(answer, failure);
  }

  private fail(reason: NodeJS.ErrnoException): void {
    if (this.isEnded) return;
    const isFull = reason.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const cause = isFull ? OUT_OF_MEMORY : reason.message;
    this.events.onFail(this, reason instanceof WorkerExit ? ENDED : cause);
  }

  private watch(): void {
    const turn = ++this.turn;
    if (this.tasks.length > 0 && this.ready) void this.time(turn);
  }

  /** Fails the file of this turn once it has had the processor for as long as a file may. */
  private async time(turn: number): Promise<void> {
    const { fileTimeout } = this.limits;
    const start = performance.now();
    const before = await this.worked();
    const look = async (): Promise<void> => {
      const left = fileTimeout - ((await this.worked()) - before);
      if (turn !== this.turn) return;
      if (left > 0 && performance.now() - start < fileTimeout * PATIENCE) wait(left, look);
      // If the pool's thread was busy itself, the answer may be waiting behind the timer: give it a turn.
      else wait(10, async () => this.events.onFail(this, 'parsing took too long'));
    };
    const wait = (milliseconds: number, then: () => Promise<void>) => {
      if (turn === this.turn) this.timer = setTimeout(() => void then(), Math.ceil(milliseconds));
    };
    wait(fileTimeout, look);
  }

  /** Returns the worker's processor time in milliseconds, 0 once it has ended; or the time by the clock if Node cannot tell. */
  private async worked(): Promise<number> {
    if (!('cpuUsage' in this.worker)) return performance.now();
    const { user, system } = await this.worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  }
}

function closedError(): LocusError {
  return cancelled('Parsing', 'Open the repository again.');
}
