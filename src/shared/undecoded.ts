const REPLACEMENT = '\ufffd';

/** Returns a sentence for code with characters that could not be decoded; null for other code. */
export function describeUndecoded(code: string): string | null {
  return code.includes(REPLACEMENT)
    ? `Some bytes could not be decoded. They are shown as ${REPLACEMENT}.`
    : null;
}
