import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Issue } from '../../issue/issue.ts';
import type { NamedLines } from '../../issue/mentions/lines.ts';
import type { PathToken } from '../../issue/mentions/paths.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { slotsOfLines } from './lines.ts';
import { pathNames } from './path-names.ts';

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
  /** The lines of it that the issue is about, and the slots of what they are of; null where it does not say. */
  lines: (NamedLines & { slots: number[] }) | null;
}

/** A base name that many files have, `__init__.py` and the like, says too little. */
export function isVague({ by, files }: PathMention): boolean {
  return by === 'base name' && files.length > 3;
}

const MAX_MENTIONS = 500;
const MAX_SPANS_EACH = 5;

/** The files that the issue names, in order of appearance. */
export function resolvePaths({ mentions, syntaxes }: Issue, index: SearchIndex): PathMention[] {
  const files = new FileMatcher(index, mentions.paths, syntaxes);
  const seen = new Map<string, number>();
  const resolved: PathMention[] = [];
  for (const token of mentions.paths) {
    const times = seen.get(token.span.text) ?? 0;
    seen.set(token.span.text, times + 1);
    if (times >= MAX_SPANS_EACH || resolved.length >= MAX_MENTIONS) continue;
    const mention =
      token.kind === 'file' ? fileMention(token, files, index) : moduleMention(token, files);
    if (mention) resolved.push(mention);
  }
  return resolved.sort((a, b) => a.span.start - b.span.start);
}

function fileMention(
  { span, segments, lines: named, link }: PathToken,
  matcher: FileMatcher,
  index: SearchIndex,
): PathMention | null {
  const { files, common, whole } = matcher.bySuffix(segments, named !== null);
  const [file, other] = files;
  if (file === undefined) return null;
  // A link into another repository may end as a path of this one does.
  const isSure = other === undefined && (whole || !link);
  const lines = named && isSure ? { ...named, slots: slotsOfLines(named, file, index) } : null;
  if (common > 1 || (whole && segments.length === 1)) return { span, files, by: 'path', lines };
  return segments.length === 1 ? { span, files, by: 'base name', lines } : null;
}

/** `django.http.cookie.parse_cookie` names the module django.http.cookie: the longest beginning that is one counts. */
function moduleMention(
  { span, segments, ends }: PathToken,
  matcher: FileMatcher,
): PathMention | null {
  for (let length = segments.length; length >= 2; length--) {
    const files = matcher.byModule(segments.slice(0, length).join('/'));
    if (files.length === 0) continue;
    const text = span.text.slice(0, ends[length - 1]);
    return {
      span: { start: span.start, end: span.start + text.length, text },
      files,
      by: 'module',
      lines: null,
    };
  }
  return null;
}

/** Finds the repository's files for paths from elsewhere. Looks once at every path that has a name of theirs. */
export class FileMatcher {
  /** By base name in lower case. */
  readonly #byBaseName = new Map<string, string[]>();
  /** By base name in lower case, the sorted files of each end that paths with it have: `c.py`, `b/c.py`, `a/b/c.py`. */
  readonly #byEnd = new Map<string, Ends>();
  readonly #byModule = new Map<string, string[]>();

  /** Only base names and modules that occur in `wanted` can be asked for afterwards. */
  constructor(
    index: SearchIndex,
    wanted: readonly { kind: 'file' | 'module'; segments: string[] }[],
    syntaxes: readonly IssueSyntax[],
  ) {
    for (const { kind, segments } of wanted) {
      if (kind === 'file') this.#byBaseName.set((segments.at(-1) ?? '').toLowerCase(), []);
      else
        for (let n = 2; n <= segments.length; n++)
          this.#byModule.set(segments.slice(0, n).join('/'), []);
    }
    if (wanted.length === 0) return;
    const lastNames = new Set(this.#byModule.keys().map(lastName));
    const firstNames = Array.from(this.#byBaseName.keys(), lastName);
    for (const path of pathNames(index).with([...lastNames, ...firstNames])) {
      this.#byBaseName.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase())?.push(path);
      if (!hasName(path, lastNames)) continue;
      for (const module of modulesOf(path, syntaxes)) this.#byModule.get(module)?.push(path);
    }
  }

  /**
   * The files that share the longest end with these path segments, how long it is, and whether it is their whole path. Windows
   * and people mind no case: a longer end counts in whichever it is written, but for a base name alone, which may be a word
   * (`Node.js`).
   * @param isFile whether it is a file for sure
   */
  bySuffix(segments: readonly string[], isFile = false): Suffix {
    const baseName = (segments.at(-1) ?? '').toLowerCase();
    let ends = this.#byEnd.get(baseName);
    if (!ends) {
      ends = { asWritten: new Map(), inLowerCase: new Map() };
      for (const path of this.#byBaseName.get(baseName)?.sort() ?? []) addEnds(path, ends);
      this.#byEnd.set(baseName, ends);
    }
    const asWritten = longestEnd(segments, ends.asWritten);
    const lower = segments.map((segment) => segment.toLowerCase());
    const inLowerCase = longestEnd(lower, ends.inLowerCase);
    const least = isFile ? asWritten.common : Math.max(1, asWritten.common);
    return inLowerCase.common > least ? inLowerCase : asWritten;
  }

  byModule(module: string): string[] {
    return (this.#byModule.get(module) ?? []).toSorted();
  }
}

interface Suffix {
  files: string[];
  common: number;
  whole: boolean;
}

/** Files by an end of their path, as it is and in lower case. */
interface Ends {
  asWritten: Map<string, string[]>;
  inLowerCase: Map<string, string[]>;
}

function longestEnd(segments: readonly string[], byEnd: ReadonlyMap<string, string[]>): Suffix {
  let end = segments.at(-1) ?? '';
  let files: string[] = [];
  let common = 0;
  for (let longer = byEnd.get(end); longer; longer = byEnd.get(end)) {
    files = longer;
    common++;
    if (common === segments.length) break;
    end = `${segments.at(-1 - common)}/${end}`;
  }
  const { length } = segments.slice(-common).join('/');
  const whole = common > 0 ? files.filter((file) => file.length === length) : [];
  return { files: whole.length > 0 ? whole : files, common, whole: whole.length > 0 };
}

function addEnds(path: string, { asWritten, inLowerCase }: Ends): void {
  for (let at = path.length; at >= 0; ) {
    at = at === 0 ? -1 : path.lastIndexOf('/', at - 1);
    const end = path.slice(at + 1);
    getOrAdd(asWritten, end, () => []).push(path);
    getOrAdd(inLowerCase, end.toLowerCase(), () => []).push(path);
  }
}

/** Of `shop/cart.test` cart: a name that the path of the module's file has between slashes and dots. */
function lastName(module: string): string {
  const [name = ''] = module.slice(module.lastIndexOf('/') + 1).split('.', 1);
  return name;
}

/** Whether one of these names stands in a path between slashes and dots: what its modules are called is worked out for few. */
function hasName(path: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  let end = path.length;
  for (let at = end - 1; at >= -1; at--) {
    const isBetween = at < 0 || path.charCodeAt(at) === SLASH || path.charCodeAt(at) === DOT;
    if (!isBetween) continue;
    if (names.has(path.slice(at + 1, end))) return true;
    end = at;
  }
  return false;
}

const SLASH = 47;
const DOT = 46;

/** What a file's module may be called: `src/pkg/sub/mod.py` is pkg/sub/mod. */
function modulesOf(path: string, syntaxes: readonly IssueSyntax[]): Set<string> {
  const within = path.replace(/^(?:src|lib)\//, '');
  return new Set(syntaxes.map((syntax) => syntax.moduleOf(within)));
}
