/**
 * Deep links: `locus://open?repository=github.com/psf/requests&commit=…&path=src/a.py&name=Session.send&line=7` opens a
 * function in the reader's own clone of the repository. A link contains no paths of a machine.
 */

import type { ChunkAddress } from './address.ts';
import { badInput, type LocusError } from './errors.ts';
import type { MarkedChunk } from './marks.ts';
import { escapeHidden } from './quote.ts';

export const LINK_SCHEME = 'locus';

export interface DeepLink {
  /** `host/owner/name` of the remote `origin`; null if none exists. The commit then identifies the repository. */
  repository: string | null;
  /** Commit of the result, or the one that was checked out; null if the repository is identified by its remote alone. */
  commit: string | null;
  /** Path of the file, relative to the root of the repository. */
  path: string;
  /** Qualified name; null for a location in a file. */
  name: string | null;
  /** 0 for the first definition of this name in the file. */
  ordinal: number;
  /** 1-based. */
  line: number | null;
  /** SHA-1 of the normalized text, which finds code that moved; null if unknown. */
  content: string | null;
}

const MAX_LENGTH = 8000;

export function formatDeepLink(link: DeepLink): string {
  const { repository, commit, path, name, ordinal, line, content } = link;
  const values: [string, string | number | null][] = [
    ['repository', repository],
    ['commit', commit],
    ['path', path],
    ['name', name],
    ['definition', ordinal > 0 ? ordinal + 1 : null],
    ['line', line],
    ['content', content],
  ];
  const query = values.flatMap(([key, value]) =>
    value === null ? [] : [`${key}=${encodeReadably(String(value).toWellFormed())}`],
  );
  return `${LINK_SCHEME}://open?${query.join('&')}`;
}

/** Encodes a value for a query. Slashes and colons need no escape there, and are easier to read without one. */
const encodeReadably = (text: string) =>
  encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':')
    .replace(/[()'!*]/g, escapeCharacter);

const escapeCharacter = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

export const isDeepLink = (text: string): boolean => /^locus:/i.test(text);

/**
 * Parses an untrusted link. It can only name a location in a repository, never another file on the machine.
 * @throws LocusError `bad-input` that says what is wrong with the link.
 */
export function parseDeepLink(text: string): DeepLink {
  if (text.length > MAX_LENGTH) throw refusal(`it is longer than ${MAX_LENGTH} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw refusal('it contains spaces or unescaped characters');
  if (!isDeepLink(text)) throw refusal(`it does not begin with ${LINK_SCHEME}://`);
  const url = URL.parse(text);
  if (url?.host !== 'open' || !['', '/'].includes(url.pathname) || url.username || url.hash) {
    throw refusal(`links begin with ${LINK_SCHEME}://open?`);
  }
  const values = parseQuery(url.search.slice(1));
  const repository = getChecked(values, 'repository', isRemoteName, 'of the form host/owner/name');
  const commit = getChecked(values, 'commit', isHash, 'a full commit id');
  const path = getChecked(
    values,
    'path',
    isPathInside,
    'a path in the repository such as src/a.py',
  );
  const name = getChecked(values, 'name', isName, 'the name of a function');
  const content = getChecked(values, 'content', isHash, 'a hash');
  const line = getNumber(values, 'line');
  const definition = getNumber(values, 'definition');
  if (path === null) throw refusal('it names no file: path= is missing');
  if (repository === null && commit === null) {
    throw refusal('it names no repository: repository= or commit= is missing');
  }
  return { repository, commit, path, name, ordinal: (definition ?? 1) - 1, line, content };
}

/** Parses a query whose keys must be unique. Unknown keys are ignored, so that later versions can add some. */
function parseQuery(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const key = part.slice(0, at);
    if (values.has(key)) throw refusal(`${key.slice(0, 40)}= appears twice`);
    values.set(key, decodeValue(part.slice(at + 1), key));
  }
  return values;
}

function decodeValue(text: string, key: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The system's error does not name the key.
    throw refusal(`${key.slice(0, 40)}= has an invalid percent escape`);
  }
}

function getChecked(
  values: ReadonlyMap<string, string>,
  key: string,
  isValid: (value: string) => boolean,
  expected: string,
): string | null {
  const value = values.get(key) ?? null;
  if (value !== null && !isValid(value)) throw refusal(`${key}= is not ${expected}`);
  return value;
}

function getNumber(values: ReadonlyMap<string, string>, key: string): number | null {
  const text = getChecked(values, key, (value) => /^[1-9]\d{0,7}$/.test(value), 'a number from 1');
  return text === null ? null : Number(text);
}

const isHash = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function isRemoteName(text: string): boolean {
  const [host = '', ...path] = text.split('/');
  const isHost = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(host);
  return (
    isHost && path.length > 0 && path.every((part) => /^[\w.~-]+$/.test(part) && !isDots(part))
  );
}

const isDots = (part: string) => part === '.' || part === '..';

/** Returns true for a single line without control or invisible characters. */
const isPlain = (text: string) => escapeHidden(text) === text;

/** Returns true for a relative path without `..`, drive letters, backslashes (as in UNC paths) and empty parts. */
function isPathInside(text: string): boolean {
  const parts = text.split('/');
  return (
    text.length <= 4000 &&
    isPlain(text) &&
    !/^[A-Za-z]:|\\/.test(text) &&
    parts.every((part) => part !== '' && !isDots(part))
  );
}

const isName = (text: string) => text !== '' && text.length <= 2000 && isPlain(text);

const refusal = (why: string): LocusError =>
  badInput(
    `Locus cannot open this link: ${why}.`,
    'Copy the link again, with “Copy deep link” in the menu of a result.',
  );

export interface DeepLinkTarget {
  /** Repository by its remote or commit, for display. */
  repository: string;
  /** Name or path that the link points to, for display. */
  target: string;
  /** Folder where the repository was opened before; null if it never was. */
  root: string | null;
}

export interface ResolvedDeepLink {
  /** Null if the target is not in this repository, or not indexed yet. */
  address: ChunkAddress | null;
  state: MarkedChunk['state'];
  /** True if the link belongs to this repository. */
  isThisRepository: boolean;
}
