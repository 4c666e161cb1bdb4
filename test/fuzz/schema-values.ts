import fc from 'fast-check';
import { limits } from '../../src/shared/limits.ts';
import { known } from './known.ts';
import { weighted, wordOf } from './weighted.ts';

/** The part of JSON Schema used here. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

const around = (bound: number) => [bound - 1, bound, bound + 1];
/** Lengths near limits of the site and of parsers. */
const lengths = [...[0, 1, 2, 60_000, 120_000, 240_000], ...Object.values(limits).flatMap(around)];
/** Pieces of text that are costly or have caused faults in parsers. */
const units = [
  ...'a ñ 🦖 < & " % %ff / ../ . @ : ) ( http://a. https: \\'.split(' '),
  ...[
    '\u0301',
    '\u0327\u0301',
    '\u0301\u0316',
    ' ',
    '\t',
    '\n',
    '\0',
    '\u200d',
    '\ud800',
    '\u202e',
  ],
];

const knownText = fc.constantFrom<string[]>(...Object.values(known));
const short = weighted(
  [4, fc.string({ unit: 'binary', maxLength: 40 })],
  [2, fc.string({ maxLength: 40 })],
  [2, fc.array(fc.constantFrom(...units), { maxLength: 12 }).map((all) => all.join(''))],
  [2, wordOf('__proto__ constructor toString 0 -1 1e999 NaN null')],
);
const joinedPair = (first: fc.Arbitrary<string>, second: fc.Arbitrary<string>) =>
  fc.tuple(first, second).map((parts) => parts.join(''));

/** Generates short texts for queries, paths and fields. */
export const words: fc.Arbitrary<string> = weighted(
  [5, knownText],
  [5, short],
  // These are almost valid cursors and ids.
  [2, joinedPair(knownText, short)],
  [2, joinedPair(wordOf(`${known.channel} a`), wordOf('-0 --1 -1e9 -99999999999999999999 -1.5 -'))],
);

function texts({ minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const bounds = [minLength, maxLength].flatMap((bound) =>
    bound === undefined ? [] : around(bound),
  );
  const every = [...lengths, ...bounds, ...bounds].filter((length) => length >= 0);
  const long = fc
    .tuple(
      fc.constantFrom('', 'http://a', 'https://', '/files/images/', 'a@'),
      fc.constantFrom(...units),
      fc.constantFrom(...every),
      short,
    )
    .map(([head, unit, length, tail]) => {
      const room = Math.max(0, length - head.length - tail.length);
      return head + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + tail;
    });
  return weighted([3, words], [1, long]);
}

function numbers({ minimum = 0, maximum = 100 }: Schema): fc.Arbitrary<unknown> {
  const bounds = [...around(minimum), ...around(maximum)];
  return fc.oneof(
    fc.constantFrom(...bounds, 0, -0, 1e21, -1e21, 2 ** 31, 2 ** 53, 0.5),
    fc.integer({ min: minimum, max: maximum }),
    fc.constantFrom('', ' ', '1 ', '0x1', '1e1', '٣', '+1', 'NaN', 'Infinity', '01'),
  );
}

/** Generates values of a schema, at and beyond its bounds, and sometimes of another type. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return weighted<unknown>([12, fittingValues(schema)], [1, fc.jsonValue({ maxDepth: 3 })]);
}

function fittingValues(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties, required = [], items, anyOf } = schema;
  if (anyOf) return fc.oneof(...anyOf.map(valuesOf));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'string') return texts(schema);
  if (type === 'integer' || type === 'number') return numbers(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(valuesOf(items ?? {}), { maxLength: 5 });
  if (!properties) return fc.jsonValue({ maxDepth: 3 });
  const members = Object.entries(properties).map(([name, one]): [string, fc.Arbitrary<unknown>] => [
    name,
    // Without required properties, validation would never reach the others.
    required.includes(name) ? valuesOf(one) : fc.option(valuesOf(one), { nil: undefined, freq: 2 }),
  ]);
  const whole = fc.record(Object.fromEntries(members));
  const more = fc.dictionary(short, fc.jsonValue());
  return weighted<object>(
    [8, whole],
    [1, fc.record(Object.fromEntries(members), { requiredKeys: [] })],
    [1, fc.tuple(whole, more).map(([one, other]) => ({ ...one, ...other }))],
  );
}
