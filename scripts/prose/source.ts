/** Checks names, docstrings and messages in TypeScript sources. */
import { parseSync } from '@swc/core';

/** A fault at a line, from 1. */
export interface Fault {
  line: number;
  message: string;
}

/** First words that make a docstring a riddle: it should start with a verb, or with a noun phrase. */
const FIRST_WORDS = /^(What|Of|That|Who|How|Whether|Where|When|Why|Which)\b/;
const DOCSTRING = /\/\*\*\s+(?:\*\s+)?(?<text>[^\n]*)/g;

/** Returns the docstrings of a source that start with a word that none should start with. */
export function findDocstringFaults(code: string): Fault[] {
  return [...code.matchAll(DOCSTRING)].flatMap(({ index, groups }) => {
    const [word] = FIRST_WORDS.exec(groups?.text ?? '') ?? [];
    if (!word) return [];
    const message = `A docstring starts with “${word}”. Start with a verb (“Returns …”) or a noun.`;
    return [{ line: lineAt(code, index), message }];
  });
}

/** An exported declaration of a source. */
export interface ExportedName {
  kind: 'function' | 'type';
  name: string;
}

const EXPORT =
  /^export (?:async )?(?:abstract )?(?<keyword>function\*?|class|interface|type|const) (?<name>\w+)(?<rest>[^\n]*)/gm;

/** Returns the functions, classes and types that a source exports, by its formatted text. Re-exports are left out. */
export function listExports(code: string): ExportedName[] {
  return [...code.matchAll(EXPORT)].flatMap(({ groups = {} }): ExportedName[] => {
    const { keyword = '', name = '', rest = '' } = groups;
    if (keyword.startsWith('function')) return [{ kind: 'function', name }];
    if (keyword === 'const') return /=>|= \($/.test(rest) ? [{ kind: 'function', name }] : [];
    return [{ kind: 'type', name }];
  });
}

/** Functions whose arguments people read, with the position of the first text and the number of texts. */
const MESSAGES: Readonly<Record<string, [first: number, count: number]>> = {
  badInput: [0, 2],
  LocusError: [1, 2],
};
const SENTENCE_START = /^[\p{Lu}\d"“‘'`(<$\ufffc-]/u;
const SENTENCE_END = /[.?!…)”"`:\ufffc]$/;

/**
 * Returns the messages and remedies of errors that are not full sentences: each starts with a capital and ends with a full stop.
 * A text that begins or ends with an inserted value is not judged there.
 */
export function findMessageFaults(code: string, { tsx = false } = {}): Fault[] {
  const faults: Fault[] = [];
  visit(parse(code, tsx), (node) => {
    const call = node as { callee?: { value?: string }; arguments?: { expression: unknown }[] };
    const place = MESSAGES[call.callee?.value ?? ''];
    if (!place) return;
    for (const { expression } of (call.arguments ?? []).slice(place[0], place[0] + place[1])) {
      const text = readText(expression);
      if (text === null || text === '') continue;
      if (SENTENCE_START.test(text) && SENTENCE_END.test(text)) continue;
      const shown = text.replaceAll('\ufffc', '…');
      faults.push({
        line: lineAt(code, code.indexOf(longestPart(text))),
        message: `“${shown}” is not a sentence. Start with a capital, end with a full stop.`,
      });
    }
  });
  return faults;
}

/** Returns the texts of a source that people may see: of JSX, and string literals with a blank in them. */
export function listTexts(code: string, { tsx = false } = {}): string[] {
  const texts: string[] = [];
  visit(parse(code, tsx), (node) => {
    const { type, value } = node as { type?: string; value?: unknown };
    if (type === 'JSXText' && typeof value === 'string') texts.push(value.replace(/\s+/g, ' '));
    else {
      const text = readText(node);
      if (text?.trim().includes(' ')) texts.push(text);
    }
  });
  return texts;
}

/** @throws Error if the source is not valid TypeScript */
function parse(code: string, tsx: boolean): unknown {
  return parseSync(code, { syntax: 'typescript', tsx, decorators: true });
}

/** Returns the text of a string or template literal, inserted values as U+FFFC; null for any other node. */
function readText(node: unknown): string | null {
  const { type, value, quasis } = node as {
    type?: string;
    value?: unknown;
    quasis?: { cooked?: string; raw: string }[];
  };
  if (type === 'StringLiteral' && typeof value === 'string') return value;
  if (type === 'TemplateLiteral' && quasis)
    return quasis.map(({ cooked, raw }) => cooked ?? raw).join('\ufffc');
  return null;
}

const longestPart = (text: string): string =>
  text.split('\ufffc').reduce((longest, part) => (part.length > longest.length ? part : longest));

function visit(node: unknown, onNode: (node: object) => void): void {
  if (Array.isArray(node)) for (const child of node) visit(child, onNode);
  else if (typeof node === 'object' && node !== null) {
    onNode(node);
    for (const child of Object.values(node)) visit(child, onNode);
  }
}

function lineAt(code: string, index: number): number {
  return code.slice(0, Math.max(0, index)).split('\n').length;
}
