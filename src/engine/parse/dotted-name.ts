const DOTTED = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$/u;
const DOT = 46;
const LAST_ASCII = 127;

/** True for the ASCII characters of names. */
const isNameUnit = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, unit) =>
  Number(/\w/.test(String.fromCharCode(unit))),
);

/** Returns true for names joined by dots. Most are ASCII, which a loop tells faster than the pattern. */
export function isDottedName(text: string): boolean {
  let isAfterName = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > LAST_ASCII) return DOTTED.test(text);
    if (isNameUnit[unit] === 1) isAfterName = true;
    else if (unit === DOT && isAfterName) isAfterName = false;
    else return false;
  }
  return isAfterName;
}
