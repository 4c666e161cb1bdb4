import type { FastifyBaseLogger } from 'fastify';
import { tryWithLock } from '../database/locks/locks.ts';
import { type Repeating, repeatTask } from '../system/failed-tasks.ts';
import { queueModeration } from './queue-moderation.ts';
import { queueNews } from './queue-news.ts';
import { type MailServices, sendMails } from './send-mails.ts';
import { describeFailure, openTransport } from './transport.ts';

/** Interval of checks for mails that are due, and the wait after a failed one. */
const intervals = { everyMs: 5000, afterFailureMs: 60_000 };
/** Interval of passes that queue news and mails to moderators. */
const newsMs = 300_000;

/** Sends mails in the background, in one process at a time. */
export function startMailing(services: MailServices, log: FastifyBaseLogger): Repeating {
  const { mail } = services.config;
  if (!mail) return async () => {};
  void openTransport(mail)
    .then((transport) => transport.verify())
    .catch((error) => log.warn(describeFailure(error)));
  let lastPassMs = -newsMs;
  return repeatTask(services, { name: 'sending mail', log, ...intervals }, async (ending) => {
    const isPass = performance.now() - lastPassMs >= newsMs;
    if (isPass) lastPassMs = performance.now();
    if (isPass || (await isAnyDue(services)))
      await mailInOneProcess({ ...services, log }, isPass, ending);
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
 * Sends the mails that are due, after queueing news and mails to moderators if this is a pass. Does nothing while another process holds the
 * mail lock.
 * @param ending no further mail is sent once it is aborted
 */
export async function mailInOneProcess(
  services: MailServices,
  isPass: boolean,
  ending?: AbortSignal,
): Promise<void> {
  await tryWithLock(
    services,
    async (confirmLock) => {
      if (isPass) {
        await queueModeration(services);
        await queueNews(services);
      }
      await sendMails(services, confirmLock, ending);
    },
    'mail',
  );
}
