import { type TSchema, Type } from 'typebox';
import { limits } from './limits.ts';
import { numberText } from './number-texts.ts';

/** Maximum length of ids, cursors and tokens in requests. */
const maxIdChars = 200;

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * A text in a request that has at most `maxChars` characters once it is trimmed and in NFC.
 * @param note follows that number in the API description
 */
export const Text = (maxChars: number, note = '') =>
  Type.String({
    maxLength: maxChars * limits.rawFactor,
    description: `Como mucho, ${numberText(maxChars)} caracteres${note}, sin espacios en los extremos y en NFC.`,
  });

/** An id, a cursor or a token in a request. */
export const Id = (options: { description?: string } = {}) =>
  Type.String({ maxLength: maxIdChars, ...options });

/** A time: ISO 8601 in UTC with milliseconds. */
export const Instant = Type.String({ format: 'date-time', maxLength: 40 });

/** A page of a list in `data`; `next` is the value of `after` for the next page, null on the last one. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: Nullable(Type.String()) });
