import type { Selectable } from 'kysely';
import type { SendMailOptions } from 'nodemailer';
import { pageRoutes } from '../../shared/routes.ts';
import type { Database, Tables } from '../database/tables.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';
import type { Config } from '../system/settings/config.ts';
import type { MailConfig } from '../system/settings/mail-config.ts';
import { findLinkAccount } from './link-tokens.ts';
import {
  addressChangedMessage,
  confirmMessage,
  recoverMessage,
} from './messages/account-messages.ts';
import type { Message, Place } from './messages/compose.ts';
import { shortLine } from './messages/short-line.ts';
import { mailToken, type NewsKind } from './queue-mail.ts';

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

/** The makers of mails that other folders queue: about what is told, and invitations. */
export type OtherMakers = Record<NewsKind | 'moderation' | 'invitation', MailMaker>;

/**
 * Makes a mail from the data that is valid and visible now.
 * @param options.isBare leaves out of news what people wrote, and names only the number of notifications
 * @returns undefined when there is nothing left to send
 */
export async function makeMail(
  services: Services & { makers: OtherMakers },
  mail: Mail,
  { isBare = false } = {},
): Promise<MadeMail | undefined> {
  const { db, config } = services;
  const account = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('id', '=', mail.account_id)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!account || !config.mail) return undefined;
  const place = await placeOf(services);
  const makers = { ...accountMakers, ...services.makers };
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

const accountColumns = [
  ...['id', 'name', 'email', 'email_confirmed_at_ms', 'mail_every', 'mail_moderation'],
  ...(['follow', 'tells_channels', 'important', 'mailed_notice_id'] as const),
  ...['hidden_by', 'disabled_at_ms', 'deletion_requested_at_ms', 'admission'],
] as const;

type Account = Pick<Selectable<Tables['accounts']>, (typeof accountColumns)[number]>;

interface Made {
  message: Message;
  headers?: Record<string, string>;
  /** The part of the thread's message id before the `@`. */
  references?: string;
}

/** @returns undefined when there is nothing left to send */
export type MailMaker = (
  services: Services,
  place: Place,
  mail: Mail,
  account: Account,
  isBare: boolean,
) => Promise<Made | undefined>;

const accountMakers: Record<Exclude<Mail['kind'], keyof OtherMakers>, MailMaker> = {
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
};
