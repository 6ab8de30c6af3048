/**
 * Decodes a file that a user chose: UTF-8, or UTF-16 if it starts with a byte order mark, as files written by PowerShell's
 * `>` do. The mark is removed.
 */
export function decodeText(bytes: Uint8Array | ArrayBuffer): string {
  return new TextDecoder(detectEncoding(new Uint8Array(bytes))).decode(bytes);
}

function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
