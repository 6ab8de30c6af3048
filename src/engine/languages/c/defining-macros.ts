/** Rewrites macros that define a function to the function that the compiler sees. */
import { blankOut } from '../blank.ts';

/** Matches `SYSCALL_DEFINE2(close, unsigned int, fd, int, flags) {`. */
const SYSCALL =
  /^((?:[A-Z0-9]{1,40}_){0,4}SYSCALL_DEFINE[1-6]\()([ \t]{0,8}\w{1,80}[ \t]{0,8})(,[^(){};]{1,1000})(?=\)\s*\{)/gm;
/** Matches `PHP_METHOD(Cart, total) {`. */
const METHOD =
  /^([A-Z][A-Z0-9]{1,40}_METHOD\([ \t]{0,8})(\w{1,80}[ \t]{0,8}),(?=[ \t]{0,8}\w{1,80}[ \t]{0,8}\)\s*\{)/gm;
const ANNOTATION = /\b__\w{1,40}\b/g;

/** Rewrites system calls of Linux to the form `long close(unsigned int fd, int flags)`. */
export function rewriteSystemCalls(text: string): string {
  if (!/SYSCALL_DEFINE[1-6]\(/.test(text)) return text;
  return text.replace(
    SYSCALL,
    (_, macro: string, name: string, rest: string) =>
      `long${blankOut(macro).slice(4)}${name}${writeParameters(rest)}`,
  );
}

/**
 * Rewrites methods of PHP's extensions to the form `const Cart (total)`, which fits into the same space and is unambiguous.
 * C++ does not need this, because its grammar parses the macro as a function.
 */
export function rewritePhpMethods(text: string): string {
  if (!text.includes('_METHOD(')) return text;
  return text.replace(
    METHOD,
    (_, macro: string, class_: string) => `const${blankOut(macro).slice(5)}${class_}(`,
  );
}

/** Rewrites `, int, a, int, b` to `( int  a, int  b`. */
function writeParameters(written: string): string {
  let commas = 0;
  return written.replace(ANNOTATION, blankOut).replace(/,/g, () => {
    const at = commas++;
    if (at === 0) return '(';
    return at % 2 === 0 ? ',' : ' ';
  });
}
