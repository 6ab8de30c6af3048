/** Puts the repository's name before each path and address in the responses of a workspace's repositories. */
import { z } from 'zod';
import { chunkAddress, repositoryPath } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { joinMember } from '../../shared/workspace.ts';

type Prefixer = (value: unknown, name: string) => unknown;

/** Prefixers by schema; null for a schema without a path or an address. */
const prefixers = new Map<z.ZodType, Prefixer | null>();

/**
 * Returns a response with the repository's name before each path and address. The schema tells which strings those are. Null and
 * undefined values stay.
 */
export function prefixPaths<Schema extends z.ZodType>(
  schema: Schema,
  response: z.output<Schema>,
  name: string,
): z.output<Schema> {
  const prefix = findPrefixer(schema);
  return (prefix ? prefix(response, name) : response) as z.output<Schema>;
}

function findPrefixer(schema: z.ZodType): Prefixer | null {
  return getOrAdd(prefixers, schema, () => createPrefixer(schema));
}

function createPrefixer(schema: z.ZodType): Prefixer | null {
  if (schema === chunkAddress || schema === repositoryPath)
    return (path, name) => joinMember(name, path as string);
  if (schema instanceof z.ZodObject) return prefixFields(schema);
  if (schema instanceof z.ZodArray) {
    const prefix = findPrefixer(schema.element as z.ZodType);
    return prefix && ((list, name) => (list as unknown[]).map((item) => prefix(item, name)));
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const prefix = findPrefixer(schema.unwrap() as z.ZodType);
    return prefix && ((value, name) => value && prefix(value, name));
  }
  const parts =
    schema instanceof z.ZodUnion
      ? schema.options
      : schema instanceof z.ZodRecord
        ? [schema.valueType]
        : [];
  if (parts.some((part) => findPrefixer(part as z.ZodType)))
    throw new Error(`A path inside a ${schema.type} cannot be prefixed.`);
  return null;
}

function prefixFields(schema: z.ZodObject): Prefixer | null {
  const fields = Object.entries(schema.shape).flatMap(([key, field]) => {
    const prefix = findPrefixer(field as z.ZodType);
    return prefix ? [{ key, prefix }] : [];
  });
  if (fields.length === 0) return null;
  return (value, name) => {
    const own = value as Record<string, unknown>;
    const present = fields.filter(({ key }) => key in own);
    return {
      ...own,
      ...Object.fromEntries(present.map(({ key, prefix }) => [key, prefix(own[key], name)])),
    };
  };
}
