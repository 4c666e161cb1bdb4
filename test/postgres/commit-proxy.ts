import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A fault that the proxy causes at a COMMIT.
 * - `response lost`: the server commits, and the connection is cut before its response is forwarded.
 * - `commit lost`: the connection is cut before COMMIT reaches the server, which rolls back.
 * - `stallMs`: the server commits, and its response is forwarded after this delay.
 */
export type CommitFault = 'response lost' | 'commit lost' | { stallMs: number };

/**
 * Chooses the fault of a transaction at its COMMIT; undefined forwards it unchanged.
 * @param statements SQL of the transaction, one statement per line, without BEGIN and COMMIT. A
 * statement outside a transaction counts as a transaction.
 */
type ChooseFault = (statements: string) => CommitFault | undefined;

/** A proxy in front of PostgreSQL (without TLS) that cuts or stalls chosen commits. */
export class CommitProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Replace it to cause faults in many transactions. */
  decide: ChooseFault = () => undefined;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #onCarriedOut: ((fault: CommitFault) => void) | undefined;

  private constructor(listener: Server, databaseUrl: string) {
    const url = new URL(databaseUrl);
    const postgres = { host: url.hostname, port: Number(url.port || 5432) };
    url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    this.url = url.href;
    this.#listener = listener.on('connection', (client: Socket) =>
      this.#connect(client, connect(postgres)),
    );
  }

  static async start(databaseUrl: string): Promise<CommitProxy> {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return new CommitProxy(listener, databaseUrl);
  }

  /**
   * Causes a fault in the next transaction whose statements match.
   * @returns once it has happened; with `response lost` the server has then committed
   */
  async next(statements: RegExp, fault: CommitFault): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onCarriedOut = () => resolve();
    this.decide = (sql) => {
      if (!statements.test(sql)) return undefined;
      this.decide = () => undefined;
      return fault;
    };
    return promise;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#listener.close(), 'close');
  }

  #connect(client: Socket, server: Socket): void {
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        peer.destroy();
      });
    }
    const requests = new Messages(true);
    const responses = new Messages(false);
    const transaction = new Transaction();
    let losesResponse = false;
    const cut = (fault: CommitFault) => {
      client.destroy();
      this.#onCarriedOut?.(fault);
    };

    client.on('data', (chunk: Buffer) => {
      for (const message of requests.split(chunk)) {
        const committed = transaction.add(message);
        const fault = committed === undefined ? undefined : this.decide(committed);
        if (fault === 'commit lost') return cut(fault);
        if (fault === 'response lost') losesResponse = true;
        else if (fault) {
          server.pause();
          setTimeout(() => {
            server.resume();
            this.#onCarriedOut?.(fault);
          }, fault.stallMs).unref();
        }
        server.write(message);
      }
    });
    server.on('data', (chunk: Buffer) => {
      const isReady = responses.split(chunk).some((message) => typeOf(message) === 'Z');
      if (!losesResponse) client.write(chunk);
      else if (isReady) cut('response lost');
    });
  }
}

/** Collects the statements of a client's current transaction. */
class Transaction {
  #statements: string[] = [];
  #isOpen = false;

  /** @returns the statements that this message commits; undefined when it commits none */
  add(message: Buffer): string | undefined {
    const type = typeOf(message);
    // The types are Query; Parse, which has a name before the statement; and Sync, which ends an extended query.
    if (type !== 'Q' && type !== 'P' && type !== 'S') return undefined;
    if (type === 'S') return this.#isOpen ? undefined : this.#take();
    const [first = '', second = ''] = message.toString('utf8', 5).split('\0');
    const sql = type === 'Q' ? first : second;
    if (/^\s*(begin|start)\b/i.test(sql)) this.#isOpen = true;
    else if (/^\s*commit\b/i.test(sql)) {
      this.#isOpen = false;
      return this.#take();
    } else if (/^\s*rollback\s*$/i.test(sql)) {
      this.#isOpen = false;
      this.#take();
    } else {
      this.#statements.push(sql);
      if (type === 'Q' && !this.#isOpen) return this.#take();
    }
    return undefined;
  }

  #take(): string | undefined {
    return this.#statements.length > 0 ? this.#statements.splice(0).join('\n') : undefined;
  }
}

/** Splits a stream into messages: one byte for the type, then four for the length. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  /** The first message of a client has no type. */
  #isStart: boolean;

  constructor(isClient: boolean) {
    this.#isStart = isClient;
  }

  split(chunk: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const typeBytes = this.#isStart ? 0 : 1;
      if (this.#rest.length < typeBytes + 4) return messages;
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) return messages;
      messages.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
      this.#isStart = false;
    }
  }
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}
