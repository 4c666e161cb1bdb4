import { timingSafeEqual } from 'node:crypto';
import { pageRoutes } from '../../shared/routes.ts';
import type { Database } from '../database/tables.ts';
import type { Place } from './messages/compose.ts';
import { mailToken } from './queue-mail.ts';

/** Mails that one can end by a link in them: news, what does not wait, and those about what awaits a moderator. */
const purposes = {
  news: 'unsubscribe',
  notices: 'unsubscribe from notices',
  moderation: 'unsubscribe from moderation',
};
type Ended = keyof typeof purposes;

/** A token that can only end these mails of an account. It is valid until the address changes. */
export async function unsubscribeToken(
  db: Database,
  accountId: string,
  ended: Ended = 'news',
): Promise<string> {
  return `${accountId}.${await mailToken(db, accountId, purposes[ended])}`;
}

/** @returns the account of a token and what it ends; undefined when the token is invalid */
export async function findUnsubscriber(
  db: Database,
  token: string,
): Promise<{ id: string; ended: Ended } | undefined> {
  const [id = ''] = token.split('.', 1);
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('mail_secret', 'is not', null)
    .executeTakeFirst();
  if (!account) return undefined;
  const given = Buffer.from(token);
  for (const ended of ['news', 'notices', 'moderation'] as const) {
    const valid = Buffer.from(await unsubscribeToken(db, id, ended));
    if (given.length === valid.length && timingSafeEqual(given, valid)) return { id, ended };
  }
  return undefined;
}

/** The links at the end of a mail, to get fewer or none, and the headers by which mail programs offer the latter. */
export async function unsubscribing(
  db: Database,
  { publicUrl }: Place,
  accountId: string,
  ended: Ended,
) {
  const token = await unsubscribeToken(db, accountId, ended);
  const unsubscribeLink = `${publicUrl}/unsubscribe/${token}`;
  return {
    links: { unsubscribeLink, settingsLink: `${publicUrl}${pageRoutes.settings}#correo` },
    headers: {
      'List-Unsubscribe': `<${unsubscribeLink}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
