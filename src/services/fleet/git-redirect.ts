/** Redirects that git refused to follow, read from the headers that it traces, and the failure that names the new address. */
import { LocusError } from '../../shared/errors.ts';
import { visible } from '../../shared/quoted.ts';

/** A header of an answer, as GIT_TRACE_CURL writes it. A host's own words come after `remote: `. */
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

  /** `Location` of the last answer if that was a redirect, otherwise null. */
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

/** Names the new address without user, password and query. `authorization` is in no message, also where the host repeats it. */
export function redirectFailure(
  url: string,
  location: string,
  authorization: string | null,
): LocusError {
  const { host } = new URL(url);
  const address = addressIn(location, url);
  const isNamed = address !== null && !quotes(address, authorization);
  return new LocusError(
    'bad-repository',
    `${host} redirects git to ${isNamed ? visible(address).slice(0, MAX_SHOWN) : 'another address'}, which is not followed.`,
    'If you trust the new address, add the repository by it and remove the old one. If it is a page to sign in, set a token for the host.',
  );
}

function addressIn(location: string, base: string): string | null {
  const to = URL.parse(location, base);
  if (!to || !/^https?:$/.test(to.protocol)) return null;
  return `${to.origin}${to.pathname.replace(/\/(?:info\/refs|git-upload-pack)$/, '')}`;
}

/** True if a text holds a credential: the header's value, its Base64, or the token in it. */
function quotes(text: string, authorization: string | null): boolean {
  if (authorization === null) return false;
  const encoded = authorization.slice(authorization.indexOf(' ') + 1);
  const token = Buffer.from(encoded, 'base64').toString().split(':').at(-1) ?? '';
  const said = decoded(text).toLowerCase();
  return [encoded, token].some((part) => part !== '' && said.includes(part.toLowerCase()));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign escapes nothing.
    return text;
  }
}
