import { visibleKey } from '../../../../shared/clean-text.ts';
import { isPlainAddress } from '../../../../shared/plain-address.ts';
import { fromPlace, placeOf } from '../../../mail/make-mail.ts';
import { testMessage } from '../../../mail/messages/account-messages.ts';
import { describeFailure, openTransport } from '../../../mail/transport.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import type { AdminContext } from './with-admin.ts';

/** Sends a mail directly, without the queue. */
export async function mailTest({ config, db, print }: AdminContext, typed: string): Promise<void> {
  const address = visibleKey(typed).trim();
  if (!config.mail) throw new OperatorError('SMTP_URL is not set: no mail is sent.');
  if (!isPlainAddress(address)) throw new OperatorError(`${address} is not an e-mail address.`);
  const place = await placeOf({ db, config });
  const mail = { ...fromPlace(place, config.mail.from), ...testMessage(place), to: address };
  const transport = await openTransport(config.mail);
  const { response } = await transport.sendMail(mail).catch((error) => {
    throw new OperatorError(describeFailure(error));
  });
  print(`The mail server took the mail to ${address}: ${response}`);
}
