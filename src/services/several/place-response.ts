/** Responses of one repository as they read among several: each path and address under the repository's name. */
import { z } from 'zod';
import { chunkAddress, repositoryPath } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { among } from '../../shared/several.ts';

type Place = (value: unknown, name: string) => unknown;

/** By schema; null for a schema without a path or an address. */
const places = new Map<z.ZodType, Place | null>();

/**
 * Returns a response with the repository's name before each path and address. Its schema says which strings they are; null and
 * left out ones stay.
 */
export function placeResponse<Schema extends z.ZodType>(
  schema: Schema,
  response: z.output<Schema>,
  name: string,
): z.output<Schema> {
  const place = findPlace(schema);
  return (place ? place(response, name) : response) as z.output<Schema>;
}

function findPlace(schema: z.ZodType): Place | null {
  return getOrAdd(places, schema, () => makePlace(schema));
}

function makePlace(schema: z.ZodType): Place | null {
  if (schema === chunkAddress || schema === repositoryPath)
    return (path, name) => among(name, path as string);
  if (schema instanceof z.ZodObject) return placeFields(schema);
  if (schema instanceof z.ZodArray) {
    const place = findPlace(schema.element as z.ZodType);
    return place && ((list, name) => (list as unknown[]).map((item) => place(item, name)));
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const place = findPlace(schema.unwrap() as z.ZodType);
    return place && ((value, name) => value && place(value, name));
  }
  const parts =
    schema instanceof z.ZodUnion
      ? schema.options
      : schema instanceof z.ZodRecord
        ? [schema.valueType]
        : [];
  if (parts.some((part) => findPlace(part as z.ZodType)))
    throw new Error(`a path inside a ${schema.type} cannot be placed`);
  return null;
}

function placeFields(schema: z.ZodObject): Place | null {
  const fields = Object.entries(schema.shape).flatMap(([key, field]) => {
    const place = findPlace(field as z.ZodType);
    return place ? [{ key, place }] : [];
  });
  if (fields.length === 0) return null;
  return (value, name) => {
    const own = value as Record<string, unknown>;
    const placed = fields.filter(({ key }) => key in own);
    return {
      ...own,
      ...Object.fromEntries(placed.map(({ key, place }) => [key, place(own[key], name)])),
    };
  };
}
