import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { headlessShellOptions } from '../test/browser/chromium.ts';

/** Sends a command of the Chrome DevTools Protocol. */
export type SendCommand = (
  method: string,
  params?: object,
) => Promise<Record<string, never> & { result: { value: string } }>;

interface Answer {
  id?: number;
  result?: never;
  error?: { message: string };
}

/**
 * Chromium without Playwright, which attaches a debugger to each page: the engine then parses a script again to find
 * the position of each error that the script creates, and React creates some when it loads. Uses the headless shell,
 * because the whole browser opens a window for each visit, and loads its own interface (hundreds of scripts) while
 * the page loads.
 */
export class DevtoolsBrowser {
  readonly #socket: WebSocket;
  readonly #close: () => Promise<void>;
  readonly #waiting = new Map<number, PromiseWithResolvers<never>>();
  #lastId = 0;

  private constructor(socket: WebSocket, close: () => Promise<void>) {
    this.#socket = socket;
    this.#close = close;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as Answer;
      const waiting = id === undefined ? undefined : this.#waiting.get(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result as never);
    });
  }

  static async start(): Promise<DevtoolsBrowser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
    const program = headlessShellOptions.executablePath ?? chromium.executablePath();
    const child = spawn(
      program,
      [
        ...headlessShellOptions.args,
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    const close = async () => {
      // Kills the whole group, because Debian's command is a script that waits for the browser.
      if (child.pid) process.kill(-child.pid);
      await once(child, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    };
    for await (const line of createInterface(child.stderr)) {
      const url = /ws:\/\/\S+/.exec(line)?.[0];
      if (!url) continue;
      const socket = new WebSocket(url);
      await once(socket, 'open');
      child.stderr.resume();
      return new DevtoolsBrowser(socket, close);
    }
    throw new Error('Chromium has ended');
  }

  /** Opens a page with its own storage and cache, and closes it when `use` ends. */
  async withPage<T>(use: (send: SendCommand) => Promise<T>): Promise<T> {
    const { browserContextId } = await this.#send('Target.createBrowserContext');
    try {
      const page = { url: 'about:blank', browserContextId };
      const { targetId } = await this.#send('Target.createTarget', page);
      const target = { targetId, flatten: true };
      const { sessionId } = await this.#send('Target.attachToTarget', target);
      return await use((method, params) => this.#send(method, params, sessionId));
    } finally {
      await this.#send('Target.disposeBrowserContext', { browserContextId });
    }
  }

  async stop(): Promise<void> {
    this.#socket.close();
    await this.#close();
  }

  #send(method: string, params: object = {}, sessionId?: string): Promise<never> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<never>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return waiting.promise.finally(() => this.#waiting.delete(id));
  }
}
