import { isPlainAddress } from '../../../shared/plain-address.ts';
import { decode } from './database-url.ts';

export interface MailConfig {
  host: string;
  port: number;
  /** Whether the connection begins with TLS (`smtps:`). */
  isTls: boolean;
  user: string | undefined;
  password: string | undefined;
  /** The name is empty when the setting has none. */
  from: { name: string; address: string };
  /** Maximum number of mails that the whole site sends in 24 hours. */
  dailyLimit: number;
}

/** An optional name, quoted if it contains special characters such as commas, before an address in angle brackets. */
const named = /^(?:"((?:[^"\\\p{Cc}]|\\[^\p{Cc}])*)"\s*|([^"<>@,;:\\\p{Cc}]*))<([^<>]*)>$/u;

/** @returns undefined for a list, a group or an invalid address */
function parseMailbox(text: string): MailConfig['from'] | undefined {
  const [, quoted, plain = '', address = text] = named.exec(text) ?? [];
  const name = quoted?.replace(/\\(.)/g, '$1') ?? plain;
  return isPlainAddress(address) ? { name: name.trim(), address } : undefined;
}

/** Parses the settings of mail. Errors do not repeat SMTP_URL, which may contain a password. */
export function parseMail(
  text: (name: string, fallback: string) => string,
  dailyLimit: number,
  wrong: string[],
): MailConfig | undefined {
  const raw = text('SMTP_URL', '');
  const sender = text('MAIL_FROM', '');
  if (raw === '' && sender === '') return undefined;
  const from = parseMailbox(sender);
  const url = URL.parse(raw);
  const isValid =
    url &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname &&
    /^\/?$/.test(url.pathname + url.search + url.hash);
  if (!isValid) {
    wrong.push(
      'SMTP_URL must be an address such as smtp://user:password@mail.example:587 or smtps://…:465; characters such as @ : / # % in the password are written percent-encoded',
    );
  }
  if (!from) {
    wrong.push(
      'MAIL_FROM must be one e-mail address, such as foro@foro.example or Foro de barrio <foro@foro.example>; a name with a comma or the like is written in double quotes',
    );
  }
  if (text('PUBLIC_URL', '') === '') {
    wrong.push('PUBLIC_URL is missing: SMTP_URL needs it, for the links in messages');
  }
  if (!isValid || !from) return undefined;
  const isTls = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isTls ? 465 : 587),
    isTls,
    user: decode(url.username) || undefined,
    password: decode(url.password) || undefined,
    from,
    dailyLimit,
  };
}
