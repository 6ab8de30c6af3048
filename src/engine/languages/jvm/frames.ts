/** Reads frames of the Java virtual machine: `com.shop.Cart$Item.total(Cart.java:12)`. */

/**
 * Returns the file and the definition of a frame. A frame contains only the file's base name, so its folder comes from the
 * package.
 * @param scope class with its package, in the machine's form: `com.shop.Cart$Item$1`
 * @param method method in the machine's form: `<init>`, `lambda$total$0`
 * @param file base name of the source file
 */
export function readJvmFrame(
  scope: string,
  method: string,
  file: string,
): { path: string; name: string } {
  const names = scope.split('.');
  const classes = (names.pop() ?? '').split('$').filter((name) => name !== '');
  return { path: [...names, file].join('/'), name: getDefinitionName(classes, method) };
}

/** Returns the name of a definition: the class for a constructor, the enclosing function for compiler-generated code, if known. */
function getDefinitionName(classes: readonly string[], method: string): string {
  const className = classes.at(-1) ?? '';
  const [first = '', second = ''] = method.split('$');
  if (/^\d/.test(className)) return findEnclosingFunction(classes);
  if (/^<(?:cl)?init>$/.test(method) || method.startsWith('lambda$new$')) return className;
  if (first === 'access' || method.startsWith('lambda$static$')) return '';
  // Kotlin adds `-` and a digest to the names of functions whose parameters are value classes.
  return (first === 'lambda' ? second : first).replace(/-.*/s, '');
}

/** Returns the function around an anonymous class, which has a number. Kotlin writes the function before the number. */
function findEnclosingFunction(classes: readonly string[]): string {
  const around = classes.slice(1).filter((name) => !/^\d/.test(name));
  const last = around.find((name) => /^\p{Ll}/u.test(name)) ?? '';
  return last === 'lambda' ? '' : last;
}
