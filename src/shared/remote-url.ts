/** The address of a remote as a name that is the same on every machine, and without what only its owner may know. */

export interface Remote {
  /** `https`, or `http` where the remote itself is reached by it. */
  scheme: 'http' | 'https';
  /** Of the web server, in lower case; with a port where a web address had one. */
  host: string;
  /** Without slashes around it and without `.git`: `psf/requests`. */
  path: string;
  /** Whether it was reached over SSH or git's own protocol, whose port says nothing of the web server's. */
  overSsh: boolean;
}

/** Hosts that serve git over SSH at the port of https. */
const SSH_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * Names that `~/.ssh/config` gives a host beside its own, one for each key, as GitHub describes it for deploy keys: `github.com-work`.
 * No host of the network is called so: the last part of its name has no hyphen.
 */
const SSH_ALIAS = /^((?:github|gitlab|gitea)\.com|bitbucket\.org|codeberg\.org)-[\w-]+$/;

/**
 * What a remote's URL says: `https://user:token@host/owner/name.git`, `ssh://git@host:22/owner/name`,
 * `git@host:owner/name.git`. User and password are left out.
 * @returns null for a path, a file URL, and what no host of repositories would have.
 */
export function parseRemote(url: string): Remote | null {
  if (url.length > 2000 || !/^[\x21-\x7e]+$/.test(url)) return null;
  const parts = url.includes('://') ? ofUrl(url) : ofScp(url);
  if (!parts) return null;
  const host = parts.overSsh ? hostOverSsh(parts.host) : parts.host;
  const path = parts.path
    .replace(/^\/{1,8}/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const sound = /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) && !path.split('/').some(isDots);
  return sound ? { ...parts, host, path } : null;
}

const hostOverSsh = (host: string): string => SSH_HOSTS[host] ?? SSH_ALIAS.exec(host)?.[1] ?? host;

const isDots = (segment: string) => segment === '.' || segment === '..';

function ofUrl(url: string): Remote | null {
  const parsed = URL.parse(url);
  if (!parsed || !HOST.test(parsed.hostname)) return null;
  const web = parsed.protocol === 'https:' || parsed.protocol === 'http:';
  if (!web && !['ssh:', 'git:', 'git+ssh:'].includes(parsed.protocol)) return null;
  return {
    scheme: parsed.protocol === 'http:' ? 'http' : 'https',
    host: (web ? parsed.host : parsed.hostname).toLowerCase(),
    path: parsed.pathname,
    overSsh: !web,
  };
}

/** `user@host:path`, as scp has it. A single letter before the colon is a drive of Windows. */
function ofScp(url: string): Remote | null {
  const colon = url.indexOf(':');
  const address = url.slice(0, Math.max(0, colon));
  const host = address.slice(address.lastIndexOf('@') + 1);
  if (host.length < 2 || !HOST.test(host)) return null;
  return { scheme: 'https', host: host.toLowerCase(), path: url.slice(colon + 1), overSsh: true };
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** `github.com/psf/requests`: by this a clone is known on another machine. */
export const remoteName = ({ host, path }: Remote): string => `${host}/${path}`;

/** What is the same of all remotes of one repository: hosts take the names of owners and repositories in any case. */
export const remoteKey = (remote: Remote): string => remoteName(remote).toLowerCase();

/** Returns true if a host is this machine. The URL parser has normalized every form of an IP address. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
