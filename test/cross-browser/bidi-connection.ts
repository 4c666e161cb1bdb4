import { once } from 'node:events';

/** A WebDriver BiDi message. Responses have an id, events do not. */
interface Message {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
}

/** Sends WebDriver BiDi commands over a WebSocket. */
export class BidiConnection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id = 0, result, error, message }: Message = JSON.parse(data);
      if (error) this.#waiting.get(id)?.reject(new Error(`${error}: ${message}`));
      else this.#waiting.get(id)?.resolve(result);
      this.#waiting.delete(id);
    });
  }

  static async open(url: string): Promise<BidiConnection> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new BidiConnection(socket);
  }

  /** @returns the result @throws the error that the browser reports */
  send<T>(method: string, params: object): Promise<T> {
    const id = ++this.#lastId;
    const response = Promise.withResolvers<unknown>();
    this.#waiting.set(id, response);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return response.promise as Promise<T>;
  }
}
