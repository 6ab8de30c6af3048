/** Finds texts that may name an entry point of a program: routes, commands, and keys in quotes. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { CodeRange } from '../code.ts';
import { createIssueSpan, type Passage } from '../passages.ts';
import { limitMentions } from './limit.ts';

/** Text that may be the key of something that a program registers. */
export type EntryPointToken =
  /** Path of a request; the method is empty if the issue gives none. */
  | { kind: 'route'; method: string; path: string; span: IssueSpan }
  /** Words after the name of a program, up to its first option. */
  | { kind: 'command'; program: string; words: string[]; span: IssueSpan }
  /** A word that is quoted. */
  | { kind: 'quoted'; text: string; span: IssueSpan };

/** A path of a request, with its method or its host before it. */
const ROUTE =
  /(?:\b(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,3}["'`]{0,2})?(?<![\w.)\]}/\\~$-])(?:https?:\/\/(?<host>[\w.[\]-]{1,100}(?::\d{2,5})?))?(?<path>\/[\w.~:{}<>@%*+$-][\w.~:{}<>@%*+$/-]{0,200})/g;
/** Hosts that serve the program itself. Others serve documentation, and code of other projects. */
const OWN_HOST =
  /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|(?:[\w-]+\.)*example\.(?:com|org|net))(?::\d+)?$|:\d{2,5}$/;
const QUOTED = /(?<quote>["'`])(?<text>[A-Za-z_][\w:./-]{2,80})\k<quote>(?![\w])/g;
const INLINE = /`(?<code>[^`\n]{3,300})`/g;

/** Words before the name of a program. */
const BEFORE_PROGRAM =
  /^(?:[$>%#]\s+|(?:sudo|time|nohup|exec|env|bundle|npx|pnpx|bunx|poetry|pipenv|uv|hatch|rye|run|python[\d.]*|py|node|ruby|php|java|deno|bun|go)\s+|[A-Z_][A-Z\d_]*=\S*\s+|-[mu]\s+)*/;
const MAX_WORDS = 5;
const WORD = /^[A-Za-z][\w:.-]*$/;

/** Finds texts that may name entry points, passage by passage. Patterns take linear time. */
export function findEntryPoints(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
): EntryPointToken[] {
  const getText = (token: EntryPointToken) => `${token.kind} ${token.span.text}`;
  return limitMentions(readEntryPoints(passages, code), getText);
}

function* readEntryPoints(
  passages: Iterable<Passage>,
  code: readonly CodeRange[],
): Generator<EntryPointToken> {
  const blocks = code.filter(({ isInline }) => !isInline);
  for (const passage of passages) {
    yield* findRoutes(passage);
    yield* findKeys(passage);
    for (const { index, groups } of passage.text.matchAll(INLINE)) {
      const command = readCommand(passage, index + 1, groups?.code ?? '');
      if (command) yield command;
    }
    yield* findCommandLines(passage, blocks);
  }
}

function* findRoutes(passage: Passage): Generator<EntryPointToken> {
  for (const match of passage.text.matchAll(ROUTE)) {
    const { method = '', host, path = '' } = match.groups ?? {};
    if (host !== undefined && !OWN_HOST.test(host)) continue;
    const end = match.index + match[0].length;
    const shown = path.replace(/[.:,]{1,20}$/, '');
    const span = createIssueSpan(
      passage,
      method ? match.index : end - path.length,
      end - path.length + shown.length,
    );
    yield { kind: 'route', method, path: shown, span };
  }
}

function* findKeys(passage: Passage): Generator<EntryPointToken> {
  for (const { index, groups } of passage.text.matchAll(QUOTED)) {
    const text = groups?.text ?? '';
    const span = createIssueSpan(passage, index + 1, index + 1 + text.length);
    yield { kind: 'quoted', text, span };
  }
}

/** Reads the lines of blocks as commands. */
function* findCommandLines(
  passage: Passage,
  blocks: readonly CodeRange[],
): Generator<EntryPointToken> {
  const { offset, text } = passage;
  for (const block of blocks) {
    const start = Math.max(block.start - offset, 0);
    const end = Math.min(block.end - offset, text.length);
    if (end <= start) continue;
    let at = start;
    for (const line of text.slice(start, end).split('\n')) {
      const command = line.length < 1000 ? readCommand(passage, at, line) : null;
      if (command) yield command;
      at += line.length + 1;
    }
  }
}

/** Reads a command: the name of a program, and the words after it up to its first option. Returns null if this is no command. */
function readCommand(passage: Passage, at: number, line: string): EntryPointToken | null {
  const indent = line.length - line.trimStart().length;
  const before = BEFORE_PROGRAM.exec(line.slice(indent))?.[0].length ?? 0;
  const [program = '', ...rest] = line.slice(indent + before).split(/\s+/, MAX_WORDS + 1);
  const last = rest.findIndex((word) => !WORD.test(word));
  const words = last < 0 ? rest : rest.slice(0, last);
  if (words.length === 0 || !/^[\w./~-]{2,100}$/.test(program)) return null;
  const start = at + indent + before;
  const length =
    line.slice(indent + before).indexOf(words.at(-1) ?? '', program.length) +
    (words.at(-1)?.length ?? 0);
  return { kind: 'command', program, words, span: createIssueSpan(passage, start, start + length) };
}
