/** What frames of .NET say: `Shop.Cart.<TotalAsync>d__3.MoveNext`. */

/** The first name between angle brackets is the method that the compiler made something of: a lambda, a state machine. */
const MADE_OF = /<(?<method>[^<>]+)>/;
const ACCESSOR = /^(?:get|set|add|remove|init)_(?=.)/;

/**
 * The simple name of the definition that a frame is in, as the source has it.
 * @param method with its namespace and types, as the runtime names it: `Shop.Cart.get_Total`
 */
export function definitionOf(method: string): string {
  if (method.endsWith('.<Main>$')) return '<Main>$';
  const made = MADE_OF.exec(method)?.groups?.method;
  const names = method
    .replace(/\[[^\]]*\]?/g, '')
    .split(/[.+]/)
    .map((part) => part.replace(/`\d+$/, ''));
  const last = made?.split('.').at(-1) ?? names.at(-1) ?? '';
  // Constructors are named as their class: `Shop.Cart..ctor`.
  if (last === 'ctor' || last === 'cctor') return names.at(-3) ?? '';
  const name = last.replace(ACCESSOR, '');
  return name === 'Item' && last !== name ? 'this' : name;
}
