import { type TSchema, Type } from 'typebox';
import { limits } from './limits.ts';

/** Ids, cursors and tokens, as they are sent. */
const maxIdChars = 200;

/** A schema that also takes null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A text in a request that may hold `maxChars` characters once it is trimmed and in NFC. */
export const Text = (maxChars: number) =>
  Type.String({
    maxLength: maxChars * limits.rawFactor,
    description: `At most ${maxChars} characters once it is trimmed and in NFC.`,
  });

/** An id, a cursor or a token in a request. */
export const Id = (options: { description?: string } = {}) =>
  Type.String({ maxLength: maxIdChars, ...options });

/** A time as it travels: ISO 8601 in UTC, with milliseconds. */
export const Instant = Type.String({ format: 'date-time' });

/** A list comes in `data`; `next` is what `after` takes for the page that follows, null at the end. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: Nullable(Type.String()) });
