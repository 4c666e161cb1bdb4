import type { FastifyBaseLogger } from 'fastify';
import { tryWithLock } from '../database/locks/locks.ts';
import { type Repeating, repeatTask } from '../system/failed-tasks.ts';
import { type MailServices, sendMails } from './send-mails.ts';
import { describeFailure, openTransport } from './transport.ts';

/** Interval of checks for mails that are due, and the wait after a failed one. */
const intervals = { everyMs: 5000, afterFailureMs: 60_000 };

/** Sends mails in the background, in one process at a time. */
export function startMailing(services: MailServices, log: FastifyBaseLogger): Repeating {
  const { mail } = services.config;
  if (!mail) return async () => {};
  void openTransport(mail)
    .then((transport) => transport.verify())
    .catch((error) => log.warn(describeFailure(error)));
  return repeatTask(services, { name: 'sending mail', log, ...intervals }, async (ending) => {
    if (await isAnyDue(services)) await mailInOneProcess({ ...services, log }, ending);
  });
}

async function isAnyDue({ db, now }: MailServices): Promise<boolean> {
  const due = await db
    .selectFrom('mails')
    .select('id')
    .where('next_try_at_ms', '<=', now())
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/**
 * Sends the mails that are due. Does nothing while another process holds the mail lock.
 * @param ending no further mail is sent once it is aborted
 */
export async function mailInOneProcess(
  services: MailServices,
  ending?: AbortSignal,
): Promise<void> {
  await tryWithLock(services, (confirmLock) => sendMails(services, confirmLock, ending), 'mail');
}
