import type { SMTPTransportOptions } from 'nodemailer';
import type { MailConfig } from '../system/settings/mail-config.ts';

const connectMs = 10_000;
/**
 * Timeout for each response of the server, as RFC 5321 asks for most commands: a server that checks a message before it
 * accepts it would otherwise get it again and again.
 */
const answerMs = 300_000;

const isThisMachine = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/**
 * Connects to the mail server once per mail. Nothing is sent to another machine without TLS and a valid certificate.
 * STARTTLS is not used on this machine, whose mail server may have an untrusted certificate.
 */
export async function openTransport({ host, port, isTls, user, password }: MailConfig) {
  const options: SMTPTransportOptions = {
    host,
    port,
    secure: isTls,
    ...(!isTls && (isThisMachine(host) ? { ignoreTLS: true } : { requireTLS: true })),
    ...(user && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded here, so that servers that send no mail save the memory.
  const { createTransport } = await import('nodemailer');
  return createTransport(options);
}

export type Transport = Awaited<ReturnType<typeof openTransport>>;

/**
 * Classifies an error of nodemailer. `refused`: the server says that the recipient's address does not exist; `text`: it
 * refused the message itself for good, as filters of outgoing spam do; `later`: it refused this mail; `server`: the server
 * cannot be used for any mail.
 */
export function classifyFailure(error: unknown): 'refused' | 'text' | 'later' | 'server' {
  const {
    command = '',
    responseCode = 0,
    response = '',
  } = error as { command?: string; responseCode?: number; response?: string };
  if (!/^(RCPT TO|DATA)/.test(command) || responseCode < 400 || responseCode === 421)
    return 'server';
  if (command === 'DATA' && responseCode >= 500) return 'text';
  return command === 'RCPT TO' && isAboutAddress.test(response) ? 'refused' : 'later';
}

/**
 * Matches answers that say that the address does not exist, by their enhanced status code (RFC 3463, RFC 7505). Servers
 * give all others, and those without such a code, also because of the sender, its limits, a policy or a full mailbox:
 * if they counted, one fault of the sender would end the mails of all.
 */
const isAboutAddress = /^5\d\d[ -]5\.1\.(?:1|2|3|6|10)\b/;

/** Describes a failure for the operator, without addresses. Neither nodemailer nor the server repeats the password. */
export function describeFailure(error: unknown): string {
  const { message } = error as Error;
  const words = message.split(/\s+/).map((word) => (word.includes('@') ? '…' : word));
  return `the mail server does not take mail: ${words.join(' ').slice(0, 300)}`;
}
