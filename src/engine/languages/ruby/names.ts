/** `A::B` gives A, B; of a symbol or a string it is its name; `@items` is the attribute `items` of the object. */
export function parts(written: string): string[] {
  if (written.startsWith('@')) return ['self', written.replace(/^@{1,2}/, '')];
  const name = written.replace(/^:(?!:)/, '').replace(/["']/g, '');
  return name.includes('::') ? name.split('::').filter((part) => part !== '') : [name];
}
