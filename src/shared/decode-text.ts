/**
 * The text of a file that a user gives: UTF-8, unless its first bytes say that it is UTF-16, as PowerShell's `>` writes
 * them. The mark is no part of it.
 */
export function decodeText(bytes: Uint8Array | ArrayBuffer): string {
  return new TextDecoder(encodingOf(new Uint8Array(bytes))).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
