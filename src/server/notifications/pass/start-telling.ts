import type { FastifyBaseLogger } from 'fastify';
import { makeInvitationMail } from '../../accounts/invitations/invitation-mail.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import type { OtherMakers } from '../../mail/make-mail.ts';
import { moveWords } from '../../moving-in/claims/move-words.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { type Repeating, repeatTask } from '../../system/failed-tasks.ts';
import type { Config } from '../../system/settings/config.ts';
import { makeModerationMail } from './moderation-mail.ts';
import { makeNewsMail } from './news-mail.ts';
import { type PushServices, pushNews } from './push-news.ts';
import { queueModeration } from './queue-moderation.ts';
import { queueNews } from './queue-news.ts';
import { tellOfAnnouncements } from './tell-announcements.ts';
import { tellOfChannels } from './tell-channels.ts';
import { tellOfEvents } from './tell-events.ts';
import { closePolls } from './tell-polls.ts';

/** The makers of the mails that a pass queues, and of invitations. */
export const mailMakers: OtherMakers = {
  news: makeNewsMail,
  notices: makeNewsMail,
  moderation: makeModerationMail,
  invitation: makeInvitationMail,
};

/** Interval of passes, and the wait after a failed one. */
const intervals = { everyMs: 10_000, afterFailureMs: 60_000 };
/** Interval of passes that also queue mails. */
const mailMs = 300_000;

type Services = PushServices & { config: Pick<Config, 'mail'> };

/** Tells people of their notifications outside the pages: in the background, in one process at a time. */
export function startTelling(services: Services, log: FastifyBaseLogger): Repeating {
  let mailedMs = -mailMs;
  let passedMs = 0;
  return repeatTask(services, { name: 'telling news', log, ...intervals }, async (ending) => {
    const isMailing = performance.now() - mailedMs >= mailMs;
    const startedMs = services.now();
    const since = { isMailing, passedMs, ending };
    if (!(await tellInOneProcess({ ...services, log }, since))) return;
    passedMs = startedMs;
    if (isMailing) mailedMs = performance.now();
  });
}

/**
 * Writes what those who follow channels are told, queues mails for those who have news, if this pass is for mails, and
 * pushes news to browsers. Does nothing while another process does.
 * @param pass.passedMs when the last pass began; 0 to look at everything
 * @param pass.ending nothing more is sent once it is aborted
 * @returns whether it did so
 */
export async function tellInOneProcess(
  services: Services,
  pass: { isMailing: boolean; passedMs?: number; ending?: AbortSignal },
): Promise<boolean> {
  const done = await tryWithLock(
    services,
    async (confirmLock) => {
      const steps = [
        () => moveWords(services, pass.ending),
        () => tellOfChannels(services),
        () => tellOfAnnouncements(services),
        () => tellOfEvents(services, pass.passedMs ?? 0),
        () => closePolls(services),
        ...(pass.isMailing ? [() => queueModeration(services), () => queueNews(services)] : []),
        () => pushNews(services, confirmLock, pass),
      ];
      await forEachDespiteErrors(steps, (step) => step());
      return true;
    },
    'news',
  );
  return done === true;
}
