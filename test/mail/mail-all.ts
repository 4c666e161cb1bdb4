import type { MailServices } from '../../src/server/mail/send-mails.ts';
import { mailInOneProcess } from '../../src/server/mail/start-mailing.ts';
import { mailMakers, tellInOneProcess } from '../../src/server/notifications/pass/start-telling.ts';
import type { AppServices } from '../../src/server/services.ts';

/** Sends the mails that are due, after a pass that queues mails about what is new if asked for. */
export async function mailAll(
  services: AppServices & Pick<MailServices, 'log'>,
  isPass = false,
): Promise<void> {
  if (isPass) await tellInOneProcess(services, { isMailing: true });
  await mailInOneProcess({ ...services, makers: mailMakers });
}
