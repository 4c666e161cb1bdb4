import type { ForumClient } from './forum-client.ts';

/** Reads the API description, with what its references refer to in their places. */
export async function readDescription<Paths>(client: ForumClient): Promise<{ paths: Paths }> {
  const description = await client.json<{ paths: Paths }>('GET', '/api/openapi.json');
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!(value instanceof Object)) return value;
    if ('$ref' in value) return resolve(referred(description, String(value.$ref)));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
  };
  return resolve(description) as { paths: Paths };
}

/** @param reference such as `#/components/schemas/User` */
function referred(description: object, reference: string): unknown {
  let part: unknown = description;
  for (const name of reference.split('/').slice(1)) {
    part = (part as Record<string, unknown>)[name];
    if (part === undefined) throw new Error(`${reference} refers to nothing`);
  }
  return part;
}
