import type { IssueSpan } from '../../../shared/evidence.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { DOTTED, PATH_RUN, type Passage, spanOf } from './text.ts';

/** Files of the repository that the issue names. */
export interface PathMention {
  span: IssueSpan;
  /** Paths in the repository that fit best, sorted. */
  files: string[];
  /**
   * How it is named: by a path or module of at least two parts (or a whole path from the root), or by nothing more
   * than its base name.
   */
  by: 'path' | 'module' | 'base name';
}

const MAX_MENTIONS = 500;
const MAX_SPANS_EACH = 5;

const MAX_TOKEN = 1000;
/** Parts of a module's name that are looked at; no repository nests that deep. */
const MAX_SEGMENTS = 40;
const EXTENSION = /[^./\\]\.[A-Za-z]\w{0,9}$/;

/** The files that the issue names, in order of appearance. */
export function findPaths(passages: readonly Passage[], index: SearchIndex): PathMention[] {
  const found = passages.flatMap((passage) => [...fileTokens(passage), ...moduleTokens(passage)]);
  const files = new FileMatcher(index, found);
  const seen = new Map<string, number>();
  const mentions: PathMention[] = [];
  for (const token of found) {
    const times = seen.get(token.span.text) ?? 0;
    seen.set(token.span.text, times + 1);
    if (times >= MAX_SPANS_EACH || mentions.length >= MAX_MENTIONS) continue;
    const mention = token.kind === 'file' ? fileMention(token, files) : moduleMention(token, files);
    if (mention) mentions.push(mention);
  }
  return mentions.sort((a, b) => a.span.start - b.span.start);
}

interface Token {
  kind: 'file' | 'module';
  span: IssueSpan;
  /** Of the path or the dotted name. */
  segments: string[];
}

/** Anything that ends in a file extension, with as much of a path before it as there is. */
function* fileTokens(passage: Passage): Generator<Token> {
  for (const { 0: run, index } of passage.text.matchAll(PATH_RUN)) {
    if (run.length > MAX_TOKEN) continue;
    const path = run.replace(/[.+%-]{1,20}$/, '');
    if (!EXTENSION.test(path)) continue;
    const span = spanOf(passage, index, index + path.length);
    yield { kind: 'file', span, segments: segmentsOf(path) };
  }
}

function* moduleTokens(passage: Passage): Generator<Token> {
  for (const { 0: run, index } of passage.text.matchAll(DOTTED)) {
    if (run.length > MAX_TOKEN || !run.includes('.')) continue;
    const span = spanOf(passage, index, index + run.length);
    yield { kind: 'module', span, segments: run.split('.', MAX_SEGMENTS) };
  }
}

/** The parts of a path, without `.` and `..`. */
export function segmentsOf(path: string): string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

function fileMention({ span, segments }: Token, matcher: FileMatcher): PathMention | null {
  const { files, common, whole } = matcher.bySuffix(segments);
  if (files.length === 0) return null;
  if (common > 1 || (whole && segments.length === 1)) return { span, files, by: 'path' };
  return segments.length === 1 ? { span, files, by: 'base name' } : null;
}

/** `django.http.cookie.parse_cookie` names the module django.http.cookie: the longest beginning that is one counts. */
function moduleMention({ span, segments }: Token, matcher: FileMatcher): PathMention | null {
  for (let length = segments.length; length >= 2; length--) {
    const files = matcher.byModule(segments.slice(0, length).join('/'));
    if (files.length === 0) continue;
    const text = segments.slice(0, length).join('.');
    return {
      span: { start: span.start, end: span.start + text.length, text },
      files,
      by: 'module',
    };
  }
  return null;
}

/** Finds the repository's files for paths from elsewhere. Looks at every path once. */
export class FileMatcher {
  readonly #byBaseName = new Map<string, string[]>();
  /** By base name, the sorted files of each end that paths with it have: `c.py`, `b/c.py`, `a/b/c.py`. */
  readonly #byEnd = new Map<string, Map<string, string[]>>();
  readonly #byModule = new Map<string, string[]>();
  readonly #paths: ReadonlySet<string>;

  /** Only base names and modules that occur in `wanted` can be asked for afterwards. */
  constructor(
    index: SearchIndex,
    wanted: readonly { kind: 'file' | 'module'; segments: string[] }[],
  ) {
    this.#paths = new Set(wanted.length > 0 ? index.paths() : []);
    for (const { kind, segments } of wanted) {
      if (kind === 'file') this.#byBaseName.set(segments.at(-1)!, []);
      else
        for (let n = 2; n <= segments.length; n++)
          this.#byModule.set(segments.slice(0, n).join('/'), []);
    }
    for (const path of this.#paths) {
      this.#byBaseName.get(path.slice(path.lastIndexOf('/') + 1))?.push(path);
      this.#byModule.get(moduleOf(path))?.push(path);
    }
  }

  /** The files that share the longest end with these path segments, how long it is, and whether it is their whole path. */
  bySuffix(segments: readonly string[]): { files: string[]; common: number; whole: boolean } {
    const byEnd = this.#endsOf(segments.at(-1)!);
    let files: string[] = [];
    let common = 0;
    let end = segments.at(-1)!;
    for (let longer = byEnd.get(end); longer; longer = byEnd.get(end)) {
      files = longer;
      common++;
      if (common === segments.length) break;
      end = `${segments.at(-1 - common)}/${end}`;
    }
    const path = segments.slice(-common).join('/');
    const whole = common > 0 && this.#paths.has(path);
    return { files: whole ? [path] : files, common, whole };
  }

  #endsOf(baseName: string): Map<string, string[]> {
    let byEnd = this.#byEnd.get(baseName);
    if (!byEnd) {
      byEnd = new Map();
      for (const path of this.#byBaseName.get(baseName)?.sort() ?? []) addEnds(path, byEnd);
      this.#byEnd.set(baseName, byEnd);
    }
    return byEnd;
  }

  byModule(module: string): string[] {
    return (this.#byModule.get(module) ?? []).toSorted();
  }
}

function addEnds(path: string, byEnd: Map<string, string[]>): void {
  for (let at = path.length; at >= 0; ) {
    at = at === 0 ? -1 : path.lastIndexOf('/', at - 1);
    const end = path.slice(at + 1);
    const files = byEnd.get(end);
    if (files) files.push(path);
    else byEnd.set(end, [path]);
  }
}

/** `src/pkg/sub/mod.py` is pkg/sub/mod, `pkg/__init__.py` is pkg. */
function moduleOf(path: string): string {
  return path.replace(/^(?:src|lib)\//, '').replace(/(?:\/__init__)?\.\w+$/, '');
}
