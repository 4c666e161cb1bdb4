import { hash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteSettings } from '../../../shared/site-settings.ts';
import { ignoringStorage } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { isSiteOrigin } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { findStanding, mayRead, type Standing } from '../standing/restrictions.ts';
import { readerCookie } from './site-cookies.ts';

/**
 * How long a cookie without a remembered browser admits after the last recorded call with its session's token. Calls
 * are recorded once an hour, so it is 12 to 13 hours after the last call.
 */
const readingMs = 13 * 3_600_000;

const hashOf = (value: string) => hash('sha256', value, 'base64url');

export interface ReaderServices {
  db: Database;
  config: Pick<Config, 'publicUrl'>;
  /** The community's settings, cached. */
  settings: () => Promise<Pick<SiteSettings, 'readers'>>;
  now: () => number;
}

/**
 * The account that a reading cookie belongs to.
 * @returns undefined when the cookie is unknown or has ended, or the account may not read
 */
async function findReader(db: Database, value: string, nowMs: number): Promise<string | undefined> {
  const reader_hash = hashOf(value);
  const device = await db
    .selectFrom('devices')
    .select('account_id')
    .where('reader_hash', '=', reader_hash)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst();
  const owner =
    device ??
    (await db
      .selectFrom('sessions')
      .select('account_id')
      .where('reader_hash', '=', reader_hash)
      .where('expires_at_ms', '>', nowMs)
      .where('last_used_at_ms', '>', nowMs - readingMs)
      .executeTakeFirst());
  const standing = owner && (await findStanding(db, owner.account_id, nowMs));
  return standing && mayRead(standing, 'members') ? owner.account_id : undefined;
}

/** @returns the account that the request's reading cookie belongs to */
export async function readerOf(
  { db, config, now }: ReaderServices,
  request: FastifyRequest,
): Promise<string | undefined> {
  const values = readerCookie(request, config.publicUrl)?.values ?? [];
  const [value, another] = values;
  // A second one may come from another site of the same domain.
  if (value === undefined || another !== undefined) return undefined;
  return findReader(db, value, now());
}

/** A session, and what decides whether its account may read. */
interface ReaderSession extends Standing {
  id: string;
  deviceId: string | null;
}

/**
 * In a community of members, gives a browser of the forum's own pages a reading cookie if the session's account may
 * read, unless the browser has one that admits.
 */
export async function giveReaderCookie(
  services: ReaderServices,
  request: FastifyRequest,
  reply: FastifyReply,
  session: ReaderSession,
): Promise<void> {
  if (!mayRead(session, 'members')) return;
  await ignoringStorage(() => setReaderCookie(services, request, reply, session));
}

async function setReaderCookie(
  services: ReaderServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { deviceId, id }: ReaderSession,
): Promise<void> {
  const { db, config, now } = services;
  const cookie = isSiteOrigin(request, config.publicUrl)
    ? readerCookie(request, config.publicUrl)
    : undefined;
  if (!cookie || (await readerOf(services, request)) !== undefined) return;
  const value = randomBytes(32).toString('base64url');
  if (deviceId === null) {
    if (await replaceHash(db, 'sessions', id, hashOf(value))) cookie.set(reply, value);
    return;
  }
  const device = await db
    .selectFrom('devices')
    .select('expires_at_ms')
    .where('id', '=', deviceId)
    .executeTakeFirst();
  if (device && (await replaceHash(db, 'devices', deviceId, hashOf(value))))
    cookie.set(reply, value, device.expires_at_ms - now());
}

/** @returns false when another request of the same browser has replaced it at the same time, and sets its cookie */
async function replaceHash(
  db: Database,
  table: 'devices' | 'sessions',
  id: string,
  reader_hash: string,
): Promise<boolean> {
  const former = await db
    .selectFrom(table)
    .select('reader_hash')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!former) return false;
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ reader_hash })
    .where('id', '=', id)
    .where('reader_hash', former.reader_hash === null ? 'is' : '=', former.reader_hash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
