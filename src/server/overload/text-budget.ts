import { sql } from 'kysely';
import { megabytesText } from '../../shared/number-texts.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { dayMs } from '../times.ts';
import { waitText } from './rate-limits.ts';

/** Text in UTF-8 that an account can store in a day. */
export const megabytesPerDay = 20;

/**
 * Counts text in the transaction that stores it, so that only stored text counts, once, for all processes and
 * across restarts. Copies as earlier versions do not count, because they were counted when written. A day
 * begins with the first text.
 * @param texts all texts that are stored; null counts as nothing
 * @throws ApiError `too_many_requests` with Retry-After beyond `megabytesPerDay`; the transaction must then
 * be rolled back
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
  // A count with a later end began while the clock was ahead.
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
