import fc from 'fast-check';
import { edited, edits } from './edits.ts';
import type { Call } from './exchange.ts';
import { filled, type Known, known } from './known.ts';
import { type Schema, valuesOf, words } from './schema-values.ts';
import { weighted, wordOf } from './weighted.ts';

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** The part of an OpenAPI description used here. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
}

/** A call with placeholders. */
export interface DescribedCall {
  method: string;
  /** Unencoded path segments. The query is not encoded either. */
  segments: string[];
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body:
    | { json: unknown }
    | { json: unknown; changes: Parameters<typeof edited>[1] }
    | { text: string }
    | undefined;
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Replaces characters that Node refuses to send in a header. */
const headerText = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff«»]/g, '?').trim();

const base64 = (texts: fc.Arbitrary<string>) =>
  texts.map((text) => Buffer.from(text).toString('base64'));
const credentials = weighted<string | undefined>(
  [12, fc.constant(`Bearer ${known.token}`)],
  [4, fc.constant(undefined)],
  [1, words.map((text) => `Bearer ${headerText(text)}`)],
  [1, base64(words).map((text) => `Basic ${text}`)],
  [1, base64(fc.tuple(words, words).map((pair) => pair.join(':'))).map((text) => `Basic ${text}`)],
  [1, words.map(headerText)],
);

const deep = fc
  .constantFrom('[', '{"a":', '{"name":', '[{"__proto__":')
  .map((unit) => unit.repeat(10_000));

/** Generates a call of any operation in the description. */
export function describedCalls({ paths }: Description): fc.Arbitrary<DescribedCall> {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callsOf(method, path, operation)),
  );
  return fc.oneof(...calls);
}

function callsOf(method: string, path: string, operation: Operation): fc.Arbitrary<DescribedCall> {
  const parameters = (location: string) =>
    (operation.parameters ?? []).filter((one) => one.in === location);
  const named = (location: string) =>
    fc.record(
      Object.fromEntries(parameters(location).map(({ name, schema }) => [name, valuesOf(schema)])),
      { requiredKeys: [] },
    );
  const segments = path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? words : fc.constant(part)));
  const content = Object.values(operation.requestBody?.content ?? {})[0];
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    segments: fc.tuple(...segments),
    query: fc
      .tuple(
        named('query'),
        weighted<[string, string][]>(
          [4, fc.constant([])],
          [1, fc.array(fc.tuple(words, words), { maxLength: 3 })],
        ),
      )
      .map(([fitting, more]) => [
        ...Object.entries(fitting).map(([name, value]): [string, string] => [name, asText(value)]),
        ...more,
      ]),
    headers: fc
      .tuple(
        named('header'),
        credentials,
        fc.option(words, { freq: 8 }),
        fc.option(contentTypes, { freq: 8 }),
      )
      .map(([fitting, authorization, lastEventId, contentType]) => ({
        ...Object.fromEntries(
          Object.entries(fitting).map(([name, value]) => [name, headerText(asText(value))]),
        ),
        ...(authorization === undefined ? {} : { authorization }),
        ...(lastEventId === null ? {} : { 'last-event-id': headerText(lastEventId) }),
        'content-type': contentType ?? 'application/json',
      })),
    body: content ? bodies(content.schema) : fc.constant(undefined),
  });
}

const contentTypes = weighted(
  [1, fc.constant('application/json; charset=utf-16')],
  [2, wordOf('text/plain application/x-www-form-urlencoded multipart/form-data')],
  [2, wordOf('application/json; a ; */* a/b/c application/offset+octet-stream')],
);

function bodies(schema: Schema): fc.Arbitrary<DescribedCall['body']> {
  const json = valuesOf(schema);
  return weighted<DescribedCall['body']>(
    [8, fc.record({ json })],
    [1, fc.record({ json, changes: edits(5) })],
    [1, fc.oneof(words, deep).map((text) => ({ text }))],
  );
}

export function toCall(
  { method, segments, query, headers, body }: DescribedCall,
  values: Known,
): Call {
  const encoded = (text: string) => encodeURIComponent(filled(text, values).toWellFormed());
  const path = segments.map((segment) => `/${encoded(segment)}`).join('');
  const search = query.map((pair) => pair.map(encoded).join('=')).join('&');
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, filled(value, values)]),
    ),
    ...(body ? { body: bytesOf(body, values) } : {}),
  };
}

function bytesOf(body: NonNullable<DescribedCall['body']>, values: Known): Buffer {
  if ('text' in body) return Buffer.from(filled(body.text, values));
  const json = Buffer.from(filled(JSON.stringify(body.json), values));
  return 'changes' in body ? edited(json, body.changes) : json;
}
