import { pageRoutes } from '../../../shared/routes.ts';
import type { MailMaker } from '../../mail/make-mail.ts';
import { invitationMessage } from '../../mail/messages/account-messages.ts';
import { findInviter } from './find-inviter.ts';

/** Makes the mail with an invitation, unless its link opens no account any more or its address has one. */
export const makeInvitationMail: MailMaker = async ({ db, now }, place, mail) => {
  const invitation = await db
    .selectFrom('mailed_invitations')
    .select(['name', 'code', 'email_key'])
    .where('id', '=', mail.invitation_id)
    .executeTakeFirst();
  if (!invitation) return undefined;
  const member = await db
    .selectFrom('accounts')
    .select('id')
    .where('email_key', '=', invitation.email_key)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (member) return undefined;
  const from = await findInviter(db, invitation.code, now()).catch(() => undefined);
  if (!from?.name) return undefined;
  const link = `${place.publicUrl}${pageRoutes.register}#${invitation.code}`;
  return { message: invitationMessage(place, { name: invitation.name, by: from.name, link }) };
};
