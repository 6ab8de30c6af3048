/**
 * `locus://open?repository=github.com/psf/requests&commit=…&path=src/a.py&name=Session.send&line=7`: a function of a
 * repository, wherever that lies on the machine of whoever opens the link. No folder of any machine is in it.
 */

import type { ChunkAddress } from './address.ts';
import { badInput, type LocusError } from './errors.ts';
import type { MarkedChunk } from './marks.ts';
import { visible } from './quoted.ts';

export const LINK_SCHEME = 'locus';

export interface LocusLink {
  /** `host/owner/name` of the remote `origin`; null where the repository has none, and the commit tells it. */
  repository: string | null;
  /** The commit that the result is of, or was checked out then; null for a repository with a remote alone. */
  commit: string | null;
  /** Of the file, relative to the top of the repository. */
  path: string;
  /** The qualified name; null for a place in a file. */
  name: string | null;
  /** 0 for the first definition of this name in the file. */
  ordinal: number;
  /** 1-based. */
  line: number | null;
  /** SHA-1 of the normalised text, by which code is found that moved; null when not known. */
  content: string | null;
}

const LONGEST = 8000;

export function formatLink(link: LocusLink): string {
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
    value === null ? [] : [`${key}=${readable(String(value).toWellFormed())}`],
  );
  return `${LINK_SCHEME}://open?${query.join('&')}`;
}

/** Slashes and colons need no escape in a query, and addresses are read by people. */
const readable = (text: string) =>
  encodeURIComponent(text)
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':')
    .replace(/[()'!*]/g, escaped);

const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

export const isLocusLink = (text: string): boolean => /^locus:/i.test(text);

/**
 * Takes a link apart. Anybody may have written it, so nothing in it is believed: it can name a place in a repository
 * and nothing else of the machine.
 * @throws LocusError `bad-input` that says what is wrong with it.
 */
export function parseLink(text: string): LocusLink {
  if (text.length > LONGEST) throw refusal(`it is longer than ${LONGEST} characters`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw refusal('it holds blanks or signs that links escape');
  if (!isLocusLink(text)) throw refusal(`it does not begin with ${LINK_SCHEME}://`);
  const url = URL.parse(text);
  if (url?.host !== 'open' || !['', '/'].includes(url.pathname) || url.username || url.hash) {
    throw refusal(`links begin with ${LINK_SCHEME}://open?`);
  }
  const values = valuesOf(url.search.slice(1));
  const repository = checked(values, 'repository', isRemoteName, 'host/owner/name');
  const commit = checked(values, 'commit', isHash, 'the id of a commit, in full');
  const path = checked(values, 'path', isPathInside, 'a path within the repository, as src/a.py');
  const name = checked(values, 'name', isName, 'the name of a definition');
  const content = checked(values, 'content', isHash, 'a hash');
  const line = numberOf(values, 'line');
  const definition = numberOf(values, 'definition');
  if (path === null) throw refusal('it names no file: path= is missing');
  if (repository === null && commit === null) {
    throw refusal('it names no repository: repository= or commit= is missing');
  }
  return { repository, commit, path, name, ordinal: (definition ?? 1) - 1, line, content };
}

/** Each key once; unknown ones are for later versions. */
function valuesOf(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const key = part.slice(0, at);
    if (values.has(key)) throw refusal(`${key.slice(0, 40)}= is there twice`);
    values.set(key, decoded(part.slice(at + 1), key));
  }
  return values;
}

function decoded(text: string, key: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The error of the system says less.
    throw refusal(`${key.slice(0, 40)}= has a percent sign that escapes nothing`);
  }
}

function checked(
  values: ReadonlyMap<string, string>,
  key: string,
  isSound: (value: string) => boolean,
  what: string,
): string | null {
  const value = values.get(key) ?? null;
  if (value !== null && !isSound(value)) throw refusal(`${key}= is not ${what}`);
  return value;
}

function numberOf(values: ReadonlyMap<string, string>, key: string): number | null {
  const text = checked(values, key, (value) => /^[1-9]\d{0,7}$/.test(value), 'a number from 1');
  return text === null ? null : Number(text);
}

const isHash = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function isRemoteName(text: string): boolean {
  const [host = '', ...path] = text.split('/');
  const sound = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(host);
  return sound && path.length > 0 && path.every((part) => /^[\w.~-]+$/.test(part) && !isDots(part));
}

const isDots = (part: string) => part === '.' || part === '..';

/** Of one line, without what acts on a terminal or hides. */
const isPlain = (text: string) => visible(text) === text;

/** No part of it leads up, to a drive, to another machine, or to a stream of a file. */
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
    `this is no link that Locus can open: ${why}`,
    'copy the link anew, with “Copy a link for colleagues” in the menu of a result',
  );

export interface FoundLink {
  /** For people: the repository by its remote or its commit. */
  repository: string;
  /** For people: the name, or the path, that it leads to. */
  target: string;
  /** Folder of that repository which was opened before; null if it never was. */
  root: string | null;
}

export interface PlacedLink {
  /** Null while, or when, it is not in this repository. */
  address: ChunkAddress | null;
  state: MarkedChunk['state'];
  /** True if the link is about this repository. */
  about: boolean;
}
