/** Parses the URL of a git remote into a name that is the same on every machine and contains no credentials. */

export interface RemoteUrl {
  /** Scheme of the web server: `https`, or `http` if the remote's URL uses it. */
  scheme: 'http' | 'https';
  /** Host of the web server in lower case, with the port of an http(s) URL. */
  host: string;
  /** Path without slashes at its ends and without `.git`: `psf/requests`. */
  path: string;
  /** True if the remote uses SSH or git's own protocol, whose port differs from the web server's. */
  isSsh: boolean;
}

/** Hosts that serve git over SSH on the https port, with their web hosts. */
const SSH_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * Host aliases in `~/.ssh/config`, one for each key, as GitHub recommends for deploy keys: `github.com-work`. They cannot be
 * real hosts, because a top-level domain has no hyphen.
 */
const SSH_ALIAS = /^((?:github|gitlab|gitea)\.com|bitbucket\.org|codeberg\.org)-[\w-]+$/;

/**
 * Parses a remote's URL: `https://user:token@host/owner/name.git`, `ssh://git@host:22/owner/name`, `git@host:owner/name.git`.
 * User and password are dropped.
 * @returns null for a path, a file URL, or a URL that no code host would have.
 */
export function parseRemote(url: string): RemoteUrl | null {
  if (url.length > 2000 || !/^[\x21-\x7e]+$/.test(url)) return null;
  const parts = url.includes('://') ? parseUrl(url) : parseScp(url);
  if (!parts) return null;
  const host = parts.isSsh ? resolveSshHost(parts.host) : parts.host;
  const path = parts.path
    .replace(/^\/{1,8}/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const isValid = /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) && !path.split('/').some(isDots);
  return isValid ? { ...parts, host, path } : null;
}

const resolveSshHost = (host: string): string =>
  SSH_HOSTS[host] ?? SSH_ALIAS.exec(host)?.[1] ?? host;

const isDots = (segment: string) => segment === '.' || segment === '..';

function parseUrl(url: string): RemoteUrl | null {
  const parsed = URL.parse(url);
  if (!parsed || !HOST.test(parsed.hostname)) return null;
  const isWeb = parsed.protocol === 'https:' || parsed.protocol === 'http:';
  if (!isWeb && !['ssh:', 'git:', 'git+ssh:'].includes(parsed.protocol)) return null;
  return {
    scheme: parsed.protocol === 'http:' ? 'http' : 'https',
    host: (isWeb ? parsed.host : parsed.hostname).toLowerCase(),
    path: parsed.pathname,
    isSsh: !isWeb,
  };
}

/** Parses scp's form, `user@host:path`. A single letter before the colon is a Windows drive. */
function parseScp(url: string): RemoteUrl | null {
  const colon = url.indexOf(':');
  const address = url.slice(0, Math.max(0, colon));
  const host = address.slice(address.lastIndexOf('@') + 1);
  if (host.length < 2 || !HOST.test(host)) return null;
  return { scheme: 'https', host: host.toLowerCase(), path: url.slice(colon + 1), isSsh: true };
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** Returns `github.com/psf/requests`, which identifies clones on all machines. */
export const formatRemoteName = ({ host, path }: RemoteUrl): string => `${host}/${path}`;

/** Returns a key that is equal for all remotes of one repository. Hosts ignore the case of owners and repositories. */
export const getRemoteKey = (remote: RemoteUrl): string => formatRemoteName(remote).toLowerCase();

/** Returns true if a host is this machine. The URL parser has normalized every form of an IP address. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
