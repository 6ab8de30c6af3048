/** Reads frames of .NET: `Shop.Cart.<TotalAsync>d__3.MoveNext`. */

/** Method from which the compiler generated a lambda or a state machine: the first name in angle brackets. */
const MADE_OF = /<(?<method>[^<>]+)>/;
const ACCESSOR = /^(?:get|set|add|remove|init)_(?=.)/;

/**
 * Returns the simple name of a frame's definition in the source.
 * @param method method with namespace and types, in the runtime's form: `Shop.Cart.get_Total`
 */
export function getFrameDefinition(method: string): string {
  if (method.endsWith('.<Main>$')) return '<Main>$';
  const made = MADE_OF.exec(method)?.groups?.method;
  const names = method
    .replace(/\[[^\]]*\]?/g, '')
    .split(/[.+]/)
    .map((part) => part.replace(/`\d+$/, ''));
  const last = made?.split('.').at(-1) ?? names.at(-1) ?? '';
  // Constructors have the name of their class: `Shop.Cart..ctor`.
  if (last === 'ctor' || last === 'cctor') return names.at(-3) ?? '';
  const name = last.replace(ACCESSOR, '');
  return name === 'Item' && last !== name ? 'this' : name;
}
