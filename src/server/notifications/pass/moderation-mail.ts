import type { MailMaker } from '../../mail/make-mail.ts';
import { unsubscribing } from '../../mail/unsubscribe.ts';
import { moderationMessage } from './moderation-message.ts';
import { countForModerator } from './queue-moderation.ts';

/** Makes the mail about what waits for a moderator now. */
export const makeModerationMail: MailMaker = async ({ db, now }, place, _mail, account) => {
  if (account.email_confirmed_at_ms === null || account.mail_moderation === 'never')
    return undefined;
  const counts = await countForModerator(db, account.id, now());
  if (!counts) return undefined;
  const { links, headers } = await unsubscribing(db, place, account.id, 'moderation');
  const data = { name: account.name, ...links, ...counts };
  return { message: moderationMessage(place, data), headers, references: 'moderation' };
};
