/** Bounds a JSON schema, so that a model whose answers it constrains always comes to an end. */

const MAX_ITEMS = 15;
/** Number of objects in a list, which are longer than other items. */
const MAX_OBJECTS = 5;
/** Length of a text: about twelve words. */
const MAX_LENGTH = 80;
/** Number of integers that are listed one by one. Grammars know no ranges. */
const MAX_LISTED = 100;

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
}

/** Returns the schema with bounds for arrays and strings, and with short ranges of integers as lists. */
export function boundSchema(schema: Schema): object {
  const {
    type,
    properties = {},
    items = {},
    minimum = 0,
    maximum = Number.POSITIVE_INFINITY,
  } = schema;
  if (type === 'object') {
    const bounded = Object.entries(properties).map(([name, part]) => [name, boundSchema(part)]);
    return { type, properties: Object.fromEntries(bounded) };
  }
  if (type === 'array') {
    // The order of the candidates: a small model would rather leave it empty.
    const most = items.type === 'object' ? MAX_OBJECTS : MAX_ITEMS;
    const minItems = items.type === 'integer' ? 1 : 0;
    return { type, items: boundSchema(items), minItems, maxItems: schema.maxItems ?? most };
  }
  if (type === 'string') return { type, maxLength: schema.maxLength ?? MAX_LENGTH };
  const count = maximum - minimum + 1;
  if (type !== 'integer' || count > MAX_LISTED) return { type };
  return { enum: Array.from({ length: count }, (_, at) => minimum + at) };
}
