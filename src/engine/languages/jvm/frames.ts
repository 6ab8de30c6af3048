/** What frames of the Java virtual machine say: `com.shop.Cart$Item.total(Cart.java:12)`. */

/**
 * The file and the definition of a frame. The machine knows a file by its base name; its folder is that of the package.
 * @param scope the class with its package, as the machine names it: `com.shop.Cart$Item$1`
 * @param method as the machine names it: `<init>`, `lambda$total$0`
 * @param file base name of the source file
 */
export function jvmFrame(
  scope: string,
  method: string,
  file: string,
): { path: string; name: string } {
  const names = scope.split('.');
  const classes = (names.pop() ?? '').split('$').filter((name) => name !== '');
  return { path: [...names, file].join('/'), name: definitionOf(classes, method) };
}

/** A constructor is named as its class; what the compiler made is named as what it was made of, if that is known. */
function definitionOf(classes: readonly string[], method: string): string {
  const className = classes.at(-1) ?? '';
  const [first = '', second = ''] = method.split('$');
  if (/^\d/.test(className)) return functionAround(classes);
  if (/^<(?:cl)?init>$/.test(method) || method.startsWith('lambda$new$')) return className;
  if (first === 'access' || method.startsWith('lambda$static$')) return '';
  // Kotlin adds `-` and a digest to the names of functions whose parameters are value classes.
  return (first === 'lambda' ? second : first).replace(/-.*/s, '');
}

/** Anonymous classes have numbers; in Kotlin, the functions that they are in stand before these. */
function functionAround(classes: readonly string[]): string {
  const around = classes.slice(1).filter((name) => !/^\d/.test(name));
  const last = around.find((name) => /^\p{Ll}/u.test(name)) ?? '';
  return last === 'lambda' ? '' : last;
}
