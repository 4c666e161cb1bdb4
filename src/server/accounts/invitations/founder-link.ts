import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { isFounded } from '../../site-settings/site-settings.ts';
import { dayMs } from '../../system/times.ts';
import { codeHash } from './invitations.ts';

/*
 * While nobody administers the site, whoever signs up with the code of this link becomes its admin, in every
 * registration mode. There is one link at a time, in the row of the table `site`; only a hash of its code is stored.
 */

/**
 * Makes a link that is valid for a day, and ends the previous one.
 * @returns its code; undefined when somebody administers the site
 */
export async function makeFounderLink(
  db: Database,
  nowMs: number,
): Promise<{ code: string; endsAtMs: number } | undefined> {
  if (await isFounded(db)) return undefined;
  const code = randomBytes(16).toString('base64url');
  const endsAtMs = nowMs + dayMs;
  await db
    .updateTable('site')
    .set({ founder_hash: codeHash(code), founder_ends_at_ms: endsAtMs })
    .where('id', '=', 1)
    .execute();
  return { code, endsAtMs };
}

/** Whether the code is that of the founder's link, and nobody administers the site. */
export async function isFounderCode(db: Database, code: string, nowMs: number): Promise<boolean> {
  const link = await findLink(db, code);
  const isValid = link !== undefined && (link.founder_ends_at_ms ?? 0) > nowMs;
  return isValid && !(await isFounded(db));
}

/**
 * Whether an account was opened with this code. Only that account administers the site, since making another admin ends
 * the link.
 */
export async function isUsedFounderCode(db: Database, code: string): Promise<boolean> {
  const link = await findLink(db, code);
  return link !== undefined && link.founder_ends_at_ms === null;
}

const findLink = (db: Database, code: string) =>
  db
    .selectFrom('site')
    .select('founder_ends_at_ms')
    .where('id', '=', 1)
    .where('founder_hash', '=', codeHash(code))
    .executeTakeFirst();

/**
 * Uses up the link. Of several transactions with the same code, one succeeds. @throws ApiError `invitation_required`
 */
export async function takeFounderLink(trx: Database, code: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('site')
    .set({ founder_ends_at_ms: null })
    .where('id', '=', 1)
    .where('founder_hash', '=', codeHash(code))
    .where('founder_ends_at_ms', '>', nowMs)
    .executeTakeFirst();
  // Read after the row is locked: whoever makes an admin locks it first.
  if (numUpdatedRows === 0n || (await isFounded(trx))) throw new ApiError('invitation_required');
}

/** Ends the link, for good. */
export async function endFounderLink(trx: Database): Promise<void> {
  await trx
    .updateTable('site')
    .set({ founder_hash: null, founder_ends_at_ms: null })
    .where('id', '=', 1)
    .execute();
}
