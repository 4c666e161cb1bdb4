import { domainToASCII } from 'node:url';
import { emailKey } from './email-key.ts';

/** Key of the mailbox that an address delivers to: case-folded, without a `+tag`, its domain as in DNS. */
export function mailboxKey(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = '', domain = ''] = [email.slice(0, at), email.slice(at + 1)];
  const tag = local.indexOf('+', 1);
  const name = emailKey(tag < 0 ? local : local.slice(0, tag));
  return `${name}@${domainToASCII(domain) || emailKey(domain)}`;
}
