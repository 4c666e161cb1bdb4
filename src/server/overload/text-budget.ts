import { sql } from 'kysely';
import { megabytesText } from '../../shared/number-texts.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { waitText } from './rate-limits.ts';

const dayMs = 86_400_000;

/** Text in UTF-8 that an account may store a day. */
export const megabytesPerDay = 20;

/**
 * Counts text that an account stores, in the transaction that stores it, so that only what is stored counts,
 * once, for all processes and beyond a restart. Earlier versions need no counting: they were counted as they
 * were written. A day begins with the first text.
 * @param texts all that is stored; null counts as nothing
 * @throws ApiError `too_many_requests` with Retry-After beyond `megabytesPerDay`; the transaction must not
 * be committed then
 */
export async function countText(
  trx: Database,
  { rateLimits }: Pick<Config, 'rateLimits'>,
  accountId: string,
  texts: (string | null)[],
  nowMs: number,
): Promise<void> {
  if (!rateLimits) return;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  const now = sql`cast(${nowMs} as bigint)`;
  const end = sql`cast(${nowMs + dayMs} as bigint)`;
  // One that ends later began while the clock was ahead.
  const isCurrent = sql`counted.expire > ${now} and counted.expire <= ${end}`;
  const { rows } = await sql<{ points: number; expire: number }>`
    insert into rate_limits as counted (key, points, expire)
    values (${`text:${accountId}`}, ${bytes}, ${end})
    on conflict (key) do update set
      points = excluded.points + case when ${isCurrent} then counted.points else 0 end,
      expire = case when ${isCurrent} then counted.expire else excluded.expire end
    returning points, expire
  `.execute(trx);
  const [counted] = rows;
  if (!counted || counted.points <= megabytesPerDay * 1_000_000) return;
  const seconds = Math.max(1, Math.ceil((counted.expire - nowMs) / 1000));
  throw new ApiError('too_many_requests', {
    detail: `En un día se pueden escribir ${megabytesText(megabytesPerDay)} de texto, y ya los has escrito. Vuelve a intentarlo ${waitText(seconds)}.`,
    headers: { 'retry-after': String(seconds) },
  });
}
