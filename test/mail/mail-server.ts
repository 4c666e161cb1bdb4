import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received extends Email {
  recipients: string[];
}

/** An answer of a mail server, of one line or more. */
export interface Refusal {
  code: number;
  text: string | readonly string[];
}

type Command = 'MAIL FROM' | 'RCPT TO' | 'DATA';

/** A local SMTP server that records all received mail. */
export class MailServer {
  readonly received: Received[] = [];
  /** Response to each recipient, or at `DATA` to the message's text; undefined accepts it. */
  refuse: ((recipient: string, text: string) => Refusal | undefined) | undefined;
  /** The command that `refuse` answers. */
  refusedCommand: Command = 'RCPT TO';
  /** Drops the connection once it has received a whole message. */
  isDropping = false;
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onMailFrom: (_address, _session, done) => done(this.#refusal('MAIL FROM', '')),
      onRcptTo: ({ address }, _session, done) => done(this.#refusal('RCPT TO', address)),
      onData: async (stream, { envelope }, done) => {
        const email = await PostalMime.parse(await text(stream));
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const refusal = this.#refusal('DATA', recipients.join(), email.text);
        if (refusal) return done(refusal);
        this.received.push({ ...email, recipients });
        if (this.isDropping) for (const { _socket } of this.#server.connections) _socket.destroy();
        else done();
      },
      ...options,
    });
    this.#server.on('error', () => {});
  }

  #refusal(command: Command, recipient: string, text = ''): Error | undefined {
    const refusal = command === this.refusedCommand ? this.refuse?.(recipient, text) : undefined;
    // The server sends a list as several lines.
    return (
      refusal && Object.assign(new Error(), { message: refusal.text, responseCode: refusal.code })
    );
  }

  /** @param options of the server, such as its certificate */
  static async start(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }) {
    const server = new MailServer(options);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Settings of a site that sends its mail here. */
  get settings(): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: 'foro@foro.example',
      PUBLIC_URL: 'https://foro.example',
    };
  }

  /** Path of the last link to a page in the newest mail to an address. */
  linkTo(address: string, page: string): string {
    const newest = this.received.findLast(({ recipients }) => recipients.includes(address));
    const link = newest?.text?.match(/https:\S+/g)?.findLast((url) => url.includes(page));
    if (!link) throw new Error(`no link to ${page} was sent to ${address}`);
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  }

  /** Returns and discards the mails received since the last call. */
  take(): Received[] {
    return this.received.splice(0);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Creates a certificate for a name. @param isTrusted makes this process trust it from now on */
export function makeCertificate(name: string, isTrusted: boolean): { key: Buffer; cert: Buffer } {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-cert-'));
  const [key, cert] = [path.join(folder.path, 'key'), path.join(folder.path, 'cert')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=DNS:${name}`],
    ],
    { stdio: 'ignore' },
  );
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  if (isTrusted) {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), String(made.cert)]);
  }
  return made;
}
