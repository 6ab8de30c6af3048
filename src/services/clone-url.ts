/** Reads the address of a repository that a person gives instead of a folder. */
import { fileURLToPath } from 'node:url';
import { badInput, type LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';
import { getRemoteKey, parseRemote } from '../shared/remote-url.ts';

/** Repository that can be cloned. */
export interface CloneAddress {
  url: string;
  /** Protocol that git may use. */
  protocol: 'https' | 'ssh' | 'file';
  /** Host that is asked; null for a folder of this machine. */
  host: string | null;
  /** Name that is equal for all spellings of the address. */
  key: string;
  /** Last part of the path. */
  name: string;
}

const MAX_LENGTH = 2000;
/** `scheme://`, git's `helper::address`, or scp's `user@host:path`. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|[\w-]+::|[\w.-]+@[\w.-]+:)/i;
/** Page of an issue or a change on a code host. */
const ISSUE_PAGE = /\/(?:-\/)?(?:issues|pull|pulls|merge_requests)\/\d+\/?$/;

/** Returns true for a text that is written as an address, supported or not. */
export const isCloneUrl = (text: string): boolean => ADDRESS.test(text);

/**
 * Reads an address by HTTPS or SSH, or of a folder on this machine.
 * @throws LocusError `bad-input` for any other address, and for one with a password or with `..`
 */
export function readCloneUrl(text: string): CloneAddress {
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text))
    throw refuse(text.slice(0, 100), 'it is too long, or has characters that no address has');
  // SSH would take it for an option.
  if (/^(?:[a-z+]+:\/\/)?-/i.test(text))
    throw refuse(text, 'its user or host begins with a hyphen');
  if (text.startsWith('file:')) return readFileUrl(text);
  const remote = parseRemote(text);
  if (!remote || (!remote.isSsh && remote.scheme !== 'https') || /^git:/i.test(text))
    throw refuse(text, 'it is no address by HTTPS or SSH');
  if (!remote.isSsh && ISSUE_PAGE.test(text)) {
    throw badInput(
      `${quoteText(text)} is the URL of an issue, not of a repository.`,
      'Give it with --issue, after the folder or the URL of the repository.',
    );
  }
  const parsed = text.includes('://') ? URL.parse(text) : null;
  if (parsed && (parsed.password !== '' || (!remote.isSsh && parsed.username !== ''))) {
    throw badInput(
      'The URL contains a user name or password, which Locus does not store.',
      'Use an SSH address, or clone the repository yourself.',
    );
  }
  return {
    url: text,
    protocol: remote.isSsh ? 'ssh' : 'https',
    host: remote.host,
    key: getRemoteKey(remote),
    name: getName(remote.path),
  };
}

function readFileUrl(text: string): CloneAddress {
  const path = text.slice('file://'.length);
  if (!text.startsWith('file:///') || /[?#\\]/.test(path))
    throw refuse(text, 'it is no folder of this machine');
  // Also in escapes, which the URL parser would resolve.
  if (/(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i.test(path) || /%(?:2f|5c|00)/i.test(path))
    throw refuse(text, 'its path has `..` or escaped separators');
  const folder = decodeFileUrl(text);
  return { url: text, protocol: 'file', host: null, key: folder, name: getName(folder) };
}

function decodeFileUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch (error) {
    throw refuse(text, (error as Error).message);
  }
}

const getName = (path: string): string =>
  path
    .split(/[/\\]/)
    .findLast((part) => part !== '' && part !== '.git')
    ?.replace(/\.git$/, '')
    .replace(/[^\w.-]+/g, '_')
    .slice(0, 40) || 'repository';

const refuse = (text: string, why: string): LocusError =>
  badInput(
    `${quoteText(text)} cannot be cloned: ${why}.`,
    'Use https://host/owner/name, git@host:owner/name, or file:///folder.',
  );
