/** Checks names, docstrings and messages in TypeScript sources. */
import { type Module, parseSync } from '@swc/core';
import { visitNodes } from '../syntax-tree.ts';

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

/** Functions whose calls have a message and a remedy, with the position of the message. */
const MESSAGE_ARGUMENTS: Readonly<Record<string, number>> = { badInput: 0, LocusError: 1 };
/** Stands for an inserted value in a text. */
const INSERTED = '\ufffc';
const SENTENCE_START = /^[\p{Lu}\d"“‘'`(<$\ufffc-]/u;
const SENTENCE_END = /[.?!…)”"`:\ufffc]$/;

/** @throws Error if the source is not valid TypeScript */
export function parseSource(code: string, { tsx = false } = {}): Module {
  return parseSync(code, { syntax: 'typescript', tsx, decorators: true });
}

/**
 * Returns the messages and remedies of errors that are not full sentences: each starts with a capital and ends with a full stop.
 * A text that begins or ends with an inserted value is not judged there.
 * @param tree of the code
 */
export function findMessageFaults(tree: Module, code: string): Fault[] {
  return listMessages(tree).flatMap((text) => {
    if (text === '' || (SENTENCE_START.test(text) && SENTENCE_END.test(text))) return [];
    const shown = text.replaceAll(INSERTED, '…');
    const message = `“${shown}” is not a sentence. Start with a capital, end with a full stop.`;
    return [{ line: lineAt(code, code.indexOf(longestPart(text))), message }];
  });
}

/** Lists the literal messages and remedies of errors. */
function listMessages(tree: Module): string[] {
  const messages: string[] = [];
  visitNodes(tree, (node) => {
    const call = node as { callee?: { value?: string }; arguments?: { expression: unknown }[] };
    const first = MESSAGE_ARGUMENTS[call.callee?.value ?? ''];
    if (first === undefined) return;
    for (const { expression } of call.arguments?.slice(first, first + 2) ?? [])
      messages.push(readText(expression) ?? '');
  });
  return messages;
}

/** Returns the texts of a source that people may see: of JSX, and string literals with a blank in them. */
export function listTexts(tree: Module): string[] {
  const texts: string[] = [];
  visitNodes(tree, (node) => {
    const { type, value } = node as { type?: string; value?: unknown };
    if (type === 'JSXText' && typeof value === 'string') texts.push(value.replace(/\s+/g, ' '));
    else {
      const text = readText(node);
      if (text?.trim().includes(' ')) texts.push(text);
    }
  });
  return texts;
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
    return quasis.map(({ cooked, raw }) => cooked ?? raw).join(INSERTED);
  return null;
}

const longestPart = (text: string): string =>
  text.split(INSERTED).reduce((longest, part) => (part.length > longest.length ? part : longest));

function lineAt(code: string, index: number): number {
  return code.slice(0, Math.max(0, index)).split('\n').length;
}
