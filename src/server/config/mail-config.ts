import { decode } from './database-url.ts';

/** The server that takes mail, and whom it is from. */
export interface MailConfig {
  host: string;
  port: number;
  /** Whether the connection begins with TLS (`smtps:`). */
  isTls: boolean;
  user: string | undefined;
  password: string | undefined;
  /** An e-mail address without a name. */
  from: string;
  /** Messages of the whole site in 24 hours. */
  dailyLimit: number;
}

/** An address whose parts need no quotes: what mail servers accept from a program. */
const plainAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*$/u;

/**
 * Whether an e-mail address can be written to. Sign-up accepts others, since an address may serve as a name only.
 * Spaces, quotes, commas, line breaks and direction marks are refused: they could name further recipients.
 */
export const isPlainAddress = (address: string) => plainAddress.test(address);

/** Errors do not repeat the address, which may contain a password. */
export function parseMail(
  text: (name: string, fallback: string) => string,
  dailyLimit: number,
  wrong: string[],
): MailConfig | undefined {
  const raw = text('SMTP_URL', '');
  const from = text('MAIL_FROM', '');
  if (raw === '' && from === '') return undefined;
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
  if (!isPlainAddress(from)) {
    wrong.push('MAIL_FROM must be an e-mail address without a name, such as foro@foro.example');
  }
  if (text('PUBLIC_URL', '') === '') {
    wrong.push('PUBLIC_URL is missing: SMTP_URL needs it, for the links in messages');
  }
  if (!isValid) return undefined;
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
