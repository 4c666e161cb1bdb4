import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushSubscriptionBody } from '../../src/shared/notification-settings.ts';

/** The text of a message, as the service worker gets it. */
interface PushText {
  title: string;
  body: string;
  url: string;
  tag: string;
}

interface Received {
  text: PushText;
  /** The decrypted message. */
  payload: string;
  encryptedBytes: number;
  headers: http.IncomingHttpHeaders;
  endpoint: string;
}

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A push service that decrypts the messages of its subscribers (RFC 8291), instead of giving them to a browser. */
export class PushService {
  /** Responds to each message; undefined accepts it. */
  answer: Answer | undefined;
  readonly #server: http.Server;
  readonly #subscribers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>();
  #received: Received[] = [];

  private constructor() {
    this.#server = http.createServer(async (request, response) => {
      const body = await buffer(request);
      const path = request.url ?? '';
      const subscriber = this.#subscribers.get(path);
      if (!subscriber) return response.writeHead(404).end();
      const payload = decrypt(body, subscriber);
      const { headers } = request;
      const common = { encryptedBytes: body.length, headers, endpoint: this.origin + path };
      this.#received.push({ ...common, payload, text: JSON.parse(payload) as PushText });
      if (this.answer) return this.answer(request, response);
      return response.writeHead(201).end();
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    await once(service.#server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A browser that has asked for messages. */
  subscribe(): PushSubscriptionBody {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${this.#subscribers.size + 1}`;
    this.#subscribers.set(path, { ecdh, auth });
    return {
      endpoint: this.origin + path,
      keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    };
  }

  /** The messages since the last call. */
  take(): Received[] {
    const received = this.#received;
    this.#received = [];
    return received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function decrypt(
  body: Buffer,
  { ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer },
): string {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
  const secret = ecdh.computeSecret(sender);
  const keys = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const derive = (from: Buffer, key: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const input = derive(auth, secret, keys, 32);
  const key = derive(salt, input, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(salt, input, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(body.subarray(-16));
  const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  // The padding begins with the last byte that is not zero.
  return text.subarray(0, text.lastIndexOf(2)).toString();
}
