import { isAscii, isUtf8 } from 'node:buffer';

export type Decoded = { text: string } | { reason: 'binary'; detail: string };

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ESCAPE = 0x1b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Character that replaces bytes without a meaning in the encoding of their file. */
const REPLACEMENT = '\ufffd';

/**
 * Decodes a source file: as UTF-16 with a byte order mark; else as UTF-8 without its mark or, if it is not UTF-8, in the encoding
 * that a coding cookie in one of the first two lines names (PEP 263; editors support it in other languages too). Bytes without a
 * meaning become `REPLACEMENT`, so that one odd byte does not hide a file. Line ends become `\n`. Pure.
 */
export function decodeSource(bytes: Uint8Array): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = getUtf16Name(buffer);
  if (wide !== null) return { text: normalizeLines(new TextDecoder(wide).decode(buffer)) };
  const nul = bytes.indexOf(0);
  if (nul >= 0) return { reason: 'binary', detail: `a NUL byte at offset ${nul}` };

  // ISO-2022 encodings switch alphabets with ESC sequences in plain ASCII, so the cookie takes precedence for them.
  const cookie = isUtf8(buffer) && !buffer.includes(ESCAPE) ? null : findCodingCookie(buffer);
  if (cookie !== null && !/^(u8|utf|utf-?8|ascii|us-ascii)\b/.test(cookie)) {
    const text = decodeAs(cookie, buffer);
    if (text !== null) return { text: normalizeLines(text) };
  }
  const marked = buffer.subarray(0, 3).equals(BYTE_ORDER_MARK);
  return { text: normalizeLines(buffer.toString('utf8', marked ? 3 : 0)) };
}

/** Returns the name of the UTF-16 encoding that a byte order mark announces, or null. */
function getUtf16Name(buffer: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (buffer.length % 2 !== 0) return null;
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  return buffer[0] === 0xfe && buffer[1] === 0xff ? 'utf-16be' : null;
}

/** Returns the encoding named in the first two lines (PEP 263), in lower case with dashes, or null. */
function findCodingCookie(buffer: Buffer): string | null {
  const [first = '', second = ''] = buffer.toString('latin1', 0, 1024).split(/\r\n?|\n/, 2);
  const cookie = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
  const blank = /^[ \t\f]*(#.*)?$/;
  const match = cookie.exec(first) ?? (blank.test(first) ? cookie.exec(second) : null);
  // Emacs adds the line ends to the name: latin-1-unix.
  return (
    match?.[1]
      ?.toLowerCase()
      .replaceAll('_', '-')
      .replace(/-(unix|dos|mac)$/, '') ?? null
  );
}

/** Decodes a text in an encoding by its Python name. Returns null if the encoding is unknown. */
function decodeAs(name: string, buffer: Buffer): string | null {
  if (/^(latin-?1?|l1|iso-?8859-?1|iso-8859-1|8859|cp819)$/.test(name)) {
    return buffer.toString('latin1');
  }
  try {
    const text = new TextDecoder(toWebName(name)).decode(buffer);
    // The web's decoders map bytes that are undefined in Windows code pages to control characters.
    return /^(cp|windows-)/.test(name) ? text.replace(/[\u0080-\u009f]/g, REPLACEMENT) : text;
  } catch {
    // The name means no encoding.
    return null;
  }
}

/** Returns the WHATWG label of an encoding by its Python name; most names are the same. */
function toWebName(name: string): string {
  const aliases: Record<string, string> = {
    cp932: 'shift_jis',
    ms932: 'shift_jis',
    shiftjis: 'shift_jis',
    eucjp: 'euc-jp',
    ujis: 'euc-jp',
    'iso2022-jp': 'iso-2022-jp',
    cp936: 'gbk',
    euckr: 'euc-kr',
    cp949: 'euc-kr',
    uhc: 'euc-kr',
    cp950: 'big5',
    cp866: 'ibm866',
    'mac-roman': 'macintosh',
    macroman: 'macintosh',
    'mac-cyrillic': 'x-mac-cyrillic',
    'latin-9': 'iso-8859-15',
    latin9: 'iso-8859-15',
    latin10: 'iso-8859-16',
  };
  return (
    aliases[name] ??
    name
      .replace(/^cp(125\d|874)$/, 'windows-$1')
      .replace(/^latin-(\d)$/, 'latin$1')
      .replace(/^iso-?8859-?(\d+)$/, 'iso-8859-$1')
  );
}

function normalizeLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/**
 * Converts a line number of the decoded text to git's line number. For git, a carriage return alone doesn't end a line. Both are
 * 1-based.
 */
export function toGitLine(bytes: Uint8Array, line: number): number {
  let gitLine = 1;
  for (let at = 0, passed = 1; passed < line && at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED) {
      gitLine++;
      passed++;
    } else if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED) passed++;
  }
  return gitLine;
}

/** Decodes a file name. `path` is null if it is not UTF-8; `printable` then shows other bytes as `\xNN`. */
export function decodeName(bytes: Buffer | string): { path: string | null; printable: string } {
  if (typeof bytes === 'string') return { path: bytes, printable: bytes };
  if (isAscii(bytes) || isUtf8(bytes)) {
    const path = bytes.toString('utf8');
    return { path, printable: path };
  }
  const printable = Array.from(bytes, (byte) =>
    byte < 0x20 || byte > 0x7e
      ? `\\x${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  ).join('');
  return { path: null, printable };
}
