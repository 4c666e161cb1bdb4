import { randomBytes } from 'node:crypto';
import { isPlainAddress } from '../../../shared/plain-address.ts';
import type { Actor } from '../../accounts/actor.ts';
import { parseName } from '../../accounts/names.ts';
import { hashPassword } from '../../accounts/passwords/passwords.ts';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import { insertAccount } from '../../accounts/sign-in/account-queries.ts';
import { audited } from '../../database/audit-log.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { emailKey } from '../../mail/email-key.ts';
import { OperatorError } from '../../system/operator-error.ts';

/** Name of an account until its owner changes it. Not part of the e-mail address, which others never see. */
const defaultName = 'Cuenta nueva';

/**
 * Creates an account like a sign-up, whatever the registration setting, with an unknown password. Its e-mail must be a
 * valid address, although a sign-up accepts any text: an operator who typed the name first would make the e-mail
 * public.
 * @returns its e-mail, and the token of a link that sets a password
 * @throws ApiError `invalid_fields`, `email_taken`; OperatorError
 */
export async function createAccount(
  actor: Actor,
  typedEmail: string,
  typedName = defaultName,
): Promise<{ email: string; token: string }> {
  const fields = new FieldParser();
  const name = parseName(fields, typedName);
  const email = fields.email('email', typedEmail);
  fields.done();
  if (!isPlainAddress(email)) {
    throw new OperatorError(
      `${email} is not an e-mail address, which comes before the name: create ana@ejemplo.es Ana`,
    );
  }
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  const profile = { name, email, passwordHash, img: null, about: '' };
  return audited(actor, actor.actorName, `e-mail ${emailKey(email)}`, async (trx, changed) => {
    const account = { ...profile, isPending: false, invitationId: null, isFounder: false };
    const { id } = await insertAccount(trx, account, actor.now());
    changed('create-account', id);
    return { email, token: await createPasswordLink(trx, id, actor.now()) };
  });
}
