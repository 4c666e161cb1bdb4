import type { Selectable } from 'kysely';
import type { SendMailOptions } from 'nodemailer';
import { pageRoutes } from '../../shared/routes.ts';
import { settingsInForce } from '../database/site-settings/site-settings.ts';
import type { Database, Tables } from '../database/tables.ts';
import { toldNews } from '../forum/notifications/told-news.ts';
import type { Config } from '../system/settings/config.ts';
import type { MailConfig } from '../system/settings/mail-config.ts';
import { findLinkAccount } from './link-tokens.ts';
import { findMailedNews } from './mailed-news.ts';
import {
  addressChangedMessage,
  confirmMessage,
  type Message,
  moderationMessage,
  newsMessage,
  type Place,
  recoverMessage,
} from './messages/messages.ts';
import { shortLine } from './messages/short-line.ts';
import { mailToken } from './queue-mail.ts';
import { countForModerator } from './queue-moderation.ts';
import { unsubscribeToken } from './unsubscribe.ts';

export type Mail = Selectable<Tables['mails']>;

interface Services {
  db: Database;
  config: Pick<Config, 'mail' | 'publicUrl'>;
  now: () => number;
}

/** Name and URL of the site in its mails. */
export async function placeOf({ db, config }: Pick<Services, 'db' | 'config'>): Promise<Place> {
  const { name } = await settingsInForce(db);
  return { communityName: name || 'tertulia', publicUrl: config.publicUrl ?? '' };
}

/** Fields that all mails of the site share. */
export function fromPlace(
  { communityName }: Place,
  { name, address }: MailConfig['from'],
): SendMailOptions {
  return {
    from: { name: shortLine(name || communityName, 60), address },
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

type MadeMail = SendMailOptions & { to: { name: string; address: string } };

/**
 * Makes a mail from the data that is valid and visible now.
 * @param options.isBare leaves out of news what people wrote, and names only the number of notifications
 * @returns undefined when there is nothing left to send
 */
export async function makeMail(
  services: Services,
  mail: Mail,
  { isBare = false } = {},
): Promise<MadeMail | undefined> {
  const { db, config } = services;
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'email_confirmed_at_ms', 'mail_every', 'hidden_by'])
    .select(['disabled_at_ms', 'deletion_requested_at_ms', 'admission', 'mail_moderation'])
    .where('id', '=', mail.account_id)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!account || !config.mail) return undefined;
  const place = await placeOf(services);
  const made = await makers[mail.kind](services, place, mail, account, isBare);
  if (!made) return undefined;
  const { message, headers, references } = made;
  const common = fromPlace(place, config.mail.from);
  const domain = new URL(place.publicUrl).hostname;
  return {
    ...common,
    ...message,
    headers: { ...(common.headers as Record<string, string>), ...headers },
    to: { name: '', address: mail.email ?? account.email },
    messageId: `<${mail.id}@${domain}>`,
    ...(references && { references: `<${references}@${domain}>` }),
  };
}

type Account = Pick<
  Selectable<Tables['accounts']>,
  | 'id'
  | 'name'
  | 'email'
  | 'email_confirmed_at_ms'
  | 'mail_every'
  | 'hidden_by'
  | 'disabled_at_ms'
  | 'deletion_requested_at_ms'
  | 'admission'
  | 'mail_moderation'
>;

interface Made {
  message: Message;
  headers?: Record<string, string>;
  /** The part of the thread's message id before the `@`. */
  references?: string;
}

type Make = (
  services: Services,
  place: Place,
  mail: Mail,
  account: Account,
  isBare: boolean,
) => Promise<Made | undefined>;

const makers: Record<Mail['kind'], Make> = {
  recover: async ({ db, now }, place, mail, { id, name, disabled_at_ms }) => {
    const token = await mailToken(db, id, mail.id);
    const isAlive = (await findLinkAccount(db, 'password_links', token, now())) === id;
    if (!isAlive || disabled_at_ms !== null) return undefined;
    const link = `${place.publicUrl}${pageRoutes.password}#${token}`;
    return { message: recoverMessage(place, { name, link }) };
  },
  confirm: async ({ db, now }, place, mail, { id }) => {
    const token = await mailToken(db, id, mail.id);
    if ((await findLinkAccount(db, 'email_confirmations', token, now())) !== id) return undefined;
    return {
      message: confirmMessage(place, { link: `${place.publicUrl}${pageRoutes.confirm}#${token}` }),
    };
  },
  'address-changed': async (_services, place, _mail, { name }) => ({
    message: addressChangedMessage(place, { name }),
  }),
  news: async (services, place, mail, account, isBare) => {
    const wanted = await findWanted(services, account);
    if (!wanted) return undefined;
    const { db, now } = services;
    const isForDecisions = wanted === 'decisions';
    const told = { isForDecisions, nowMs: now() };
    const news = await findMailedNews(db, mail, place.publicUrl, told);
    if (!news) return undefined;
    const { links, headers } = await unsubscribing(db, place, account.id, 'news');
    const { channelId, ...shown } = news;
    const bare = { lines: [], more: shown.lines.length + shown.more, channels: [] };
    const data = { name: account.name, ...(isBare ? bare : shown), ...links };
    return {
      message: newsMessage(place, data),
      headers,
      references: channelId === undefined ? 'news' : `channel-${channelId.replace(/[^\w-]/g, '')}`,
    };
  },
  moderation: async ({ db, now }, place, _mail, account) => {
    if (account.email_confirmed_at_ms === null || account.mail_moderation === 'never')
      return undefined;
    const counts = await countForModerator(db, account.id, now());
    if (!counts) return undefined;
    const { links, headers } = await unsubscribing(db, place, account.id, 'moderation');
    const data = { name: account.name, ...links, ...counts };
    return { message: moderationMessage(place, data), headers, references: 'moderation' };
  },
};

/** The links at the end of a mail, to get fewer or none, and the headers by which mail programs offer the latter. */
async function unsubscribing(
  db: Database,
  { publicUrl }: Place,
  accountId: string,
  ended: 'news' | 'moderation',
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

async function findWanted({ db, now }: Services, account: Account) {
  const { email_confirmed_at_ms, mail_every } = account;
  if (email_confirmed_at_ms === null || mail_every === 'never') return undefined;
  return toldNews(db, account, now());
}
