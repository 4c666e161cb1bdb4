import { timingSafeEqual } from 'node:crypto';
import type { RsvpAnswer } from '../../../shared/events.ts';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database } from '../../database/tables.ts';
import { mailToken } from '../../mail/queue-mail.ts';

/** One date of a comment. */
export interface DatePlace {
  channelId: string;
  number: number;
  position: number;
}

/** The words of the answers, in mails and on the pages that their links lead to. */
export const answerTexts: Record<RsvpAnswer, string> = {
  yes: 'Voy',
  maybe: 'Quizá',
  no: 'No voy',
};
export const answers = Object.keys(answerTexts) as RsvpAnswer[];

/** The path that answers for one account and date without a session. Nothing of it is stored. */
export async function answerPath(
  db: Database,
  accountId: string,
  { channelId, number, position }: DatePlace,
  answer: RsvpAnswer,
): Promise<string> {
  const what = `${channelId}.${number}.${position}.${answer}`;
  return `/rsvp/${accountId}.${what}.${await mailToken(db, accountId, `rsvp ${what}`)}`;
}

/**
 * @returns the account, date and answer of a path; undefined when it is not one of `answerPath`, or its account may not
 * read any more
 */
export async function findAnswer(db: Database, token: string, nowMs: number) {
  const [, accountId = '', channelId = '', number, position, answer] =
    /^([\w-]+)\.([\w-]+)\.(\d{1,9})\.(\d{1,2})\.(yes|maybe|no)\.[\w-]+$/.exec(token) ?? [];
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', '=', accountId)
    .where('mail_secret', 'is not', null)
    .where(isMember(db, nowMs))
    .executeTakeFirst();
  if (!account) return undefined;
  const place = { channelId, number: Number(number), position: Number(position) };
  const found = { account, ...place, answer: answer as RsvpAnswer };
  const valid = Buffer.from(await answerPath(db, account.id, place, found.answer));
  const given = Buffer.from(`/rsvp/${token}`);
  return given.length === valid.length && timingSafeEqual(given, valid) ? found : undefined;
}
