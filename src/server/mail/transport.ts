import type { SMTPTransportOptions } from 'nodemailer';
import type { MailConfig } from '../config/mail-config.ts';

/** Time for a connection, and for each answer of the server. */
const connectMs = 10_000;
const answerMs = 30_000;

const isThisMachine = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/**
 * Connects to the mail server once for each mail. To another machine nothing is sent without TLS and a valid certificate;
 * on this machine, whose mail server may have a certificate of no authority, STARTTLS is not used.
 */
export async function openTransport({ host, port, isTls, user, password }: MailConfig) {
  const options: SMTPTransportOptions = {
    ...{ host, port, secure: isTls },
    ...(!isTls && (isThisMachine(host) ? { ignoreTLS: true } : { requireTLS: true })),
    ...(user && { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: answerMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
  // Servers that send no mail save its memory.
  const { createTransport } = await import('nodemailer');
  return createTransport(options);
}

export type Transport = Awaited<ReturnType<typeof openTransport>>;

/**
 * What a failure to send says about the mail. `refused`: its recipient or content was refused for good; `later`: not
 * now; `server`: the mail server cannot be used, whatever the mail.
 */
export function classifyFailure(error: unknown): 'refused' | 'later' | 'server' {
  const { command = '', responseCode = 0 } = error as { command?: string; responseCode?: number };
  if (!/^(RCPT TO|DATA)/.test(command) || responseCode < 400 || responseCode === 421)
    return 'server';
  return responseCode >= 500 ? 'refused' : 'later';
}

/** Describes a failure for the operator. Neither nodemailer nor the server repeats the password. */
export function describeFailure(error: unknown): string {
  const { message } = error as Error;
  return `the mail server does not take mail: ${message.replace(/\s+/g, ' ').slice(0, 300)}`;
}
