import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** An address in front of PostgreSQL that moves from one server to another, like an address of keepalived. */
export class MovingAddress implements AsyncDisposable {
  /** URL of the database at this address. */
  readonly url: string;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #port: number;

  private constructor(listener: Server, databaseUrl: string) {
    const url = new URL(databaseUrl);
    this.#port = Number(url.port);
    url.port = String((listener.address() as AddressInfo).port);
    this.url = url.href;
    this.#listener = listener.on('connection', (client: Socket) => this.#forward(client));
  }

  static async start(databaseUrl: string): Promise<MovingAddress> {
    const listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return new MovingAddress(listener, databaseUrl);
  }

  /** Cuts all connections and forwards new ones to another server. */
  moveTo(databaseUrl: string): void {
    this.#port = Number(new URL(databaseUrl).port);
    this.#cutAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cutAll();
    await once(this.#listener.close(), 'close');
  }

  #forward(client: Socket): void {
    const server = connect(this.#port, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        peer.destroy();
      });
    }
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
