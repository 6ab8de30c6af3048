import type { IssueSpan } from '../../../shared/evidence.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { codeRanges } from './code.ts';
import { DOTTED, matchRanges, PATH_RUN, type Passage, rangeReader, spanOf } from './text.ts';

/** A name in the issue and what it may stand for. */
export interface NameMention {
  /** `set_cookie`, or `HttpResponse.set_cookie` where the issue says of which class or module. */
  name: string;
  spans: IssueSpan[];
  /** Slots of the definitions. */
  slots: number[];
  /** How many definitions it may stand for: those in source files, if there are any there, or else all. */
  definitions: number;
}

const MAX_NAMES = 300;
const MAX_SPANS = 5;

const URL = /\b[a-z]{2,10}:\/\/[^\s<>"'`]+/g;
/** What tells a path from a quotient: two separators, or an extension. */
const PATH_LIKE = /[/\\].*[/\\]|\.(?:pyx?|pyi|rst|md|txt|cfg|toml|ini|json|ya?ml|html|css|js)$/;
const SENTENCE_END = /[.!?:;]["')\]*_]{0,3}$/;
const BULLET = /^[-*#>\d.]{1,6}$/;

/** The names in the issue that are defined in the repository, in order of first appearance. */
export function findNames(passages: readonly Passage[], index: SearchIndex): NameMention[] {
  const found = new Map<string, NameMention | null>();
  let kept = 0;
  const code = codeRanges(passages);
  for (const [i, passage] of passages.entries()) {
    for (const { name, start, end } of candidates(passage.text, code[i])) {
      let mention = found.get(name);
      if (mention === undefined) {
        mention = kept < MAX_NAMES ? definitionsOf(name, index) : null;
        found.set(name, mention);
        if (mention) kept++;
      }
      if (mention && mention.spans.length < MAX_SPANS) {
        mention.spans.push(spanOf(passage, start, end));
      }
    }
  }
  return [...found.values()].filter((mention) => mention !== null);
}

/** Identifiers that are meant as such, by their form or by where they stand. Dotted ones are given by prefix too. */
function* candidates(
  text: string,
  code: readonly [number, number][],
): Generator<{ name: string; start: number; end: number }> {
  const isCode = rangeReader(code);
  const isPath = rangeReader(notNames(text));
  for (const { 0: token, index } of text.matchAll(DOTTED)) {
    const inCode = isCode(index);
    if (isPath(index) || token.length > 500) continue;
    const segments = token.split('.');
    const end = index + token.length;
    const meant = inCode || segments.length > 1 || isCalledOrQuoted(text, index, end);
    let segmentStart = index;
    for (const [i, segment] of segments.entries()) {
      const segmentEnd = segmentStart + segment.length;
      const start = segmentStart;
      segmentStart = segmentEnd + 1;
      if (segment.length < 2 && !inCode) continue;
      if (!meant && !isIdentifierLike(segment, text, start)) continue;
      const name = i > 0 ? `${segments[i - 1]}.${segment}` : segment;
      yield { name, start: i > 0 ? start - segments[i - 1].length - 1 : start, end: segmentEnd };
    }
  }
}

/** Where URLs and paths are, whose words are not names. */
function notNames(text: string): [number, number][] {
  const paths = matchRanges(PATH_RUN, text).filter(([start, end]) => {
    return end - start > 1000 || PATH_LIKE.test(text.slice(start, end));
  });
  return [...matchRanges(URL, text), ...paths].sort((a, b) => a[0] - b[0]);
}

function isCalledOrQuoted(text: string, start: number, end: number): boolean {
  const before = text[start - 1];
  const after = text[end];
  return (
    after === '(' ||
    (before !== undefined && before === after && (before === "'" || before === '"'))
  );
}

/** `snake_case`, `camelCase`, `HTTPError`, or a capitalised word within a sentence. */
function isIdentifierLike(word: string, text: string, start: number): boolean {
  if (/[^_]_+[^_]|^__[^_].*__$|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return true;
  if (!/^\p{Lu}/u.test(word)) return false;
  return !isSentenceStart(text.slice(Math.max(0, start - 24), start));
}

/** Whether a sentence, a line or an item of a list begins after this text. */
function isSentenceStart(before: string): boolean {
  const said = before.trimEnd();
  const space = before.slice(said.length);
  if (said === '' || space.includes('\n')) return true;
  if (space === '') return false;
  const newline = said.lastIndexOf('\n');
  return (
    SENTENCE_END.test(said) || (newline >= 0 && BULLET.test(said.slice(newline + 1).trimStart()))
  );
}

/** What a name, or a name after its class, module or object, is defined as; null when it is not. */
function definitionsOf(name: string, index: SearchIndex): NameMention | null {
  const dot = name.lastIndexOf('.');
  const all = index.slotsByName(name.slice(dot + 1));
  if (all.length === 0) return null;
  const owner = name.slice(0, Math.max(0, dot));
  const owned = dot < 0 ? [] : all.filter((slot) => belongsTo(slot, owner, index));
  const slots = owned.length > 0 ? owned : [...all];
  const inSource = slots.filter((slot) => index.chunks[slot]!.role === 'source').length;
  return { name, spans: [], slots, definitions: inSource || slots.length };
}

/** Whether a chunk is a member of a class of this name, or top-level in a module of this name. */
function belongsTo(slot: number, owner: string, index: SearchIndex): boolean {
  const { qualifiedName, name, path } = index.chunks[slot]!;
  if (qualifiedName === name) {
    const module = path.replace(/(?:\/__init__)?\.\w+$/, '');
    return module === owner || module.endsWith(`/${owner}`);
  }
  const class_ = qualifiedName.slice(0, -name.length - 1);
  return class_ === owner || class_.endsWith(`.${owner}`);
}
