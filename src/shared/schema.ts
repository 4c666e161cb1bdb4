import { type TSchema, Type } from 'typebox';

/** A schema that also takes null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A time as it travels: ISO 8601 in UTC, with milliseconds. */
export const Instant = Type.String({ format: 'date-time' });

/** A list comes in `data`; `next` is what `after` takes for the page that follows, null at the end. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: Nullable(Type.String()) });
