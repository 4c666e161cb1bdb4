import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real mail server, which stores what it takes. */
export class Mailbox implements AsyncDisposable {
  readonly mails: (Email & { recipient: string })[] = [];
  /** Addresses that it refuses for good. */
  readonly refused = new Set<string>();
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => {
        const error = Object.assign(new Error('No such user'), { responseCode: 550 });
        done(this.refused.has(address) ? error : null);
      },
      onData: (stream, { envelope }, done) => {
        buffer(stream)
          .then((raw) => PostalMime.parse(raw))
          .then((mail) => {
            for (const { address } of envelope.rcptTo) {
              this.mails.push({ ...mail, recipient: address });
            }
            done();
          }, done);
      },
    });
  }

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await once(mailbox.#server.listen(0, '127.0.0.1'), 'listening');
    return mailbox;
  }

  /** The settings of a forum that sends its mail here. */
  get settings(): Record<string, string> {
    const { port } = this.#server.server.address() as AddressInfo;
    return {
      PUBLIC_URL: 'https://barrio.example',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'foro@barrio.example',
    };
  }

  /** @returns the path of the last link to a page in the newest mail to an address */
  linkTo(address: string, page: string): string {
    const newest = this.mails.findLast(({ recipient }) => recipient === address);
    const link = newest?.text?.match(/https:\S+/g)?.findLast((url) => url.includes(page));
    if (!link) throw new Error(`no link to ${page} was sent to ${address}`);
    const { pathname, hash } = new URL(link);
    return pathname + hash;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
