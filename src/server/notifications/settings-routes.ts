import { sql } from 'kysely';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import {
  type Every,
  type Important,
  type ModerationMails,
  NotificationSettings,
  NotificationSettingsEdit,
} from '../../shared/notification-settings.ts';
import type { SiteSettings } from '../../shared/site-settings.ts';
import { callerOf, type Session, sessionOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { isConfirmationSent } from '../mail/confirm-email.ts';
import { arrivingMails, giveUpMails, mostGivenUp } from '../mail/queue-mail.ts';
import { parsePushSettings } from '../push/push-routes.ts';
import { canPush, changePushSettings, readPushSettings } from '../push/subscriptions.ts';
import { levelOf, zoneInForce } from '../site-settings/site-settings.ts';
import type { Config } from '../system/settings/config.ts';
import { knownZone } from '../system/zones.ts';

const tags = ['accounts'];

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  config: Pick<Config, 'mail' | 'publicUrl'>;
  settings: () => Promise<SiteSettings>;
}

/** Routes for how an account is told of news outside the pages: by e-mail and by push messages. */
export function notificationSettingsRoutes(app: App, services: Services): void {
  const { config } = services;

  app.get(
    apiRoutes.notificationSettings,
    {
      schema: {
        tags,
        summary: 'Cómo se reciben avisos, por correo y en los dispositivos',
        response: { 200: NotificationSettings, '4xx': Problem },
      },
    },
    (request) => readSettings(services, sessionOf(request)),
  );

  app.patch(
    apiRoutes.notificationSettings,
    {
      schema: {
        tags,
        summary: 'Elegir cómo se reciben avisos, por correo y en los dispositivos',
        description:
          'Si el servidor de la dirección había rechazado un mensaje, se prueba otra vez.',
        body: NotificationSettingsEdit,
        response: { 200: NotificationSettings, '4xx': Problem },
      },
    },
    async (request): Promise<NotificationSettings> => {
      const { id } = callerOf(request);
      const { email, moderation, push, important } = request.body;
      if ((email || moderation) && !config.mail) throw new ApiError('mail_unavailable');
      if (push && !canPush(config)) throw new ApiError('push_unavailable');
      const pushed = push && parsePushSettings(push);
      if (email) await setEvery(services, id, email.every, email.zone);
      if (moderation) await setModeration(services, id, moderation);
      if (pushed) await changePushSettings(services, id, pushed);
      if (important) await setImportant(services, id, important);
      await setFollow(services, id, request.body);
      return readSettings(services, sessionOf(request));
    },
  );
}

async function readSettings(services: Services, session: Session): Promise<NotificationSettings> {
  const { db, config, now } = services;
  const { id } = session.user;
  const account = await db
    .selectFrom('accounts')
    .select(['email_confirmed_at_ms', 'mail_every', 'mail_refused_at_ms', 'mails_given_up'])
    .select(['mail_moderation', 'zone', 'follow', 'tells_channels', 'important'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const confirmed = account.email_confirmed_at_ms !== null;
  const isAsked = confirmed || (await isConfirmationSent(db, id, now()));
  const email = {
    confirmed,
    every: account.mail_every,
    zone: await zoneInForce(db, account.zone),
    problem: problemOf({ ...account, isAsked }),
  };
  return {
    email: config.mail ? email : null,
    push: await readPushSettings(services, session),
    moderation: account.mail_moderation,
    follow: { chosen: account.follow, community: levelOf(await services.settings()) },
    channels: account.tells_channels === 1,
    important: account.important,
  };
}

/** Sets the level of channels for which the account never chose one, and whether it is told of new channels. */
async function setFollow(
  { withTransaction }: Pick<Services, 'withTransaction'>,
  accountId: string,
  { follow, channels }: Pick<NotificationSettingsEdit, 'follow' | 'channels'>,
): Promise<void> {
  const changes = {
    ...(follow !== undefined && { follow }),
    ...(channels !== undefined && { tells_channels: Number(channels) }),
  };
  if (Object.keys(changes).length === 0) return;
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set(changes)
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null)
      .execute(),
  );
}

function problemOf(account: {
  mail_refused_at_ms: number | null;
  mails_given_up: number;
  isAsked: boolean;
}): NonNullable<NotificationSettings['email']>['problem'] {
  if (account.mail_refused_at_ms !== null) return 'refused';
  if (!account.isAsked) return 'no_link';
  return account.mails_given_up < mostGivenUp ? null : 'given_up';
}

/** Sets whether a moderator is mailed about what waits. */
export async function setModeration(
  { withTransaction }: Pick<Services, 'withTransaction'>,
  accountId: string,
  mail_moderation: ModerationMails,
): Promise<void> {
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ mail_moderation, ...arrivingMails })
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null)
      .execute(),
  );
}

/** Sets how an account is told of what does not wait. Earlier notifications are mailed no more, whichever way. */
export async function setImportant(
  { withTransaction }: Pick<Services, 'withTransaction'>,
  accountId: string,
  important: Important,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    await giveUpMails(trx, accountId, ['notices']);
    await trx
      .updateTable('accounts')
      .set({ important, mailed_notice_id: newestOf(accountId) })
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null)
      .execute();
  });
}

/** Id of the newest notification of an account, as a value in SQL. */
const newestOf = (accountId: string) => sql<number>`(
  select coalesce(max(id), 0) from notifications where account_id = ${accountId})`;

/**
 * Sets how often news is sent. After `never`, only later notifications are mailed.
 * @param zone of the browser; empty when it names none, undefined to keep the account's
 */
export async function setEvery(
  { withTransaction }: Pick<Services, 'withTransaction'>,
  accountId: string,
  every: Every,
  zone?: string,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    // The next one has its news, at the time of the new rhythm.
    await giveUpMails(trx, accountId, ['news']);
    const account = trx
      .updateTable('accounts')
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null);
    await account
      .where('mail_every', '=', 'never')
      .set({ mailed_notification_id: newestOf(accountId) })
      .execute();
    await account
      .set({
        mail_every: every,
        ...arrivingMails,
        ...(zone !== undefined && { zone: knownZone(zone) ?? null }),
      })
      .execute();
  });
}
