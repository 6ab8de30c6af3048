/** Macros that define a function of several arguments, as the function that a compiler sees. */
import { blank } from '../blank.ts';

/** SYSCALL_DEFINE2(close, unsigned int, fd, int, flags) { */
const SYSCALL =
  /^((?:[A-Z0-9]{1,40}_){0,4}SYSCALL_DEFINE[1-6]\()([ \t]{0,8}\w{1,80}[ \t]{0,8})(,[^(){};]{1,1000})(?=\)\s*\{)/gm;
/** PHP_METHOD(Cart, total) { */
const METHOD =
  /^([A-Z][A-Z0-9]{1,40}_METHOD\([ \t]{0,8})(\w{1,80}[ \t]{0,8}),(?=[ \t]{0,8}\w{1,80}[ \t]{0,8}\)\s*\{)/gm;
const ANNOTATION = /\b__\w{1,40}\b/g;

/** The text with `long close(unsigned int fd, int flags)` for a system call of Linux. */
export function withoutSystemCalls(text: string): string {
  if (!/SYSCALL_DEFINE[1-6]\(/.test(text)) return text;
  return text.replace(
    SYSCALL,
    (_, macro: string, name: string, rest: string) =>
      `long${blank(macro).slice(4)}${name}${parameters(rest)}`,
  );
}

/**
 * The text with `const Cart (total)` for a method of a class of PHP: as much of one as there is room for, which nothing
 * else looks like. C++ can do without, since its grammar takes the macro for a function.
 */
export function withoutMethodsOfPhp(text: string): string {
  if (!text.includes('_METHOD(')) return text;
  return text.replace(
    METHOD,
    (_, macro: string, class_: string) => `const${blank(macro).slice(5)}${class_}(`,
  );
}

/** Of `, int, a, int, b` that is `( int  a, int  b`. */
function parameters(written: string): string {
  let commas = 0;
  return written.replace(ANNOTATION, blank).replace(/,/g, () => {
    const at = commas++;
    if (at === 0) return '(';
    return at % 2 === 0 ? ',' : ' ';
  });
}
