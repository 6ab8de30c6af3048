/** Reads redirects that git refused to follow from its trace, and creates the error that names the new address. */
import { LocusError } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';

/** A response header in the format of GIT_TRACE_CURL. Text from a host comes after `remote: `, so it cannot look like one. */
const HEADER = /^\d\d:\d\d:\d\d\.\d{1,9} \S{1,40} +<= Recv header: (.*)$/;
const MAX_LINE = 10_000;
const MAX_SHOWN = 200;

export class RedirectReader {
  #rest = '';
  #isRedirect = false;
  #location: string | null = null;

  read(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]/);
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) this.#readHeader(HEADER.exec(line)?.[1] ?? '');
  }

  /** `Location` of the last response if it was a redirect, otherwise null. */
  get refused(): string | null {
    return this.#isRedirect ? this.#location : null;
  }

  #readHeader(header: string): void {
    const status = /^HTTP\/[\d.]{1,3} (\d{3})/.exec(header)?.[1];
    if (status !== undefined) {
      this.#isRedirect = status.startsWith('3');
      this.#location = null;
    }
    this.#location ??= /^location:(.*)$/i.exec(header)?.[1]?.trim() ?? null;
  }
}

/** Creates the error, with the new address but without user, password and query. It never holds `authorization`, even if the host repeats it. */
export function createRedirectError(
  url: string,
  location: string,
  authorization: string | null,
): LocusError {
  const { host } = new URL(url);
  const address = parseAddress(location, url);
  const isNamed = address !== null && !hasCredential(address, authorization);
  return new LocusError(
    'bad-repository',
    `${host} redirects git to ${isNamed ? escapeHidden(address).slice(0, MAX_SHOWN) : 'another address'}, and Locus does not follow it.`,
    'If you trust the new address, add the repository by it and remove the old one. If it is a sign-in page, set a token for the host.',
  );
}

function parseAddress(location: string, base: string): string | null {
  const to = URL.parse(location, base);
  if (!to || !/^https?:$/.test(to.protocol)) return null;
  return `${to.origin}${to.pathname.replace(/\/(?:info\/refs|git-upload-pack)$/, '')}`;
}

/** Returns true if a text contains the credential: the header's value, its Base64, or the token in it. */
function hasCredential(text: string, authorization: string | null): boolean {
  if (authorization === null) return false;
  const encoded = authorization.slice(authorization.indexOf(' ') + 1);
  const token = Buffer.from(encoded, 'base64').toString().split(':').at(-1) ?? '';
  const said = decode(text).toLowerCase();
  return [encoded, token].some((part) => part !== '' && said.includes(part.toLowerCase()));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that is not part of an escape.
    return text;
  }
}
