/** Splits a name: `A::B` gives A, B; a symbol or a string gives its content; `@items` gives the attribute `items` of the object. */
export function splitName(written: string): string[] {
  if (written.startsWith('@')) return ['self', written.replace(/^@{1,2}/, '')];
  const name = written.replace(/^:(?!:)/, '').replace(/["']/g, '');
  return name.includes('::') ? name.split('::').filter((part) => part !== '') : [name];
}
