import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../eventually.ts';
import { freePorts } from '../processes/free-ports.ts';
import { endProgram, startProgram } from './start-program.ts';
import { findInPage, type Role, Tab } from './tab.ts';

/** JSON key of an element's id, fixed by the WebDriver specification. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
type Reference = Record<typeof elementKey, string>;

/** Limit for a command: the driver answers none whose browser has crashed. */
const answerMs = 120_000;

/** WebKitGTK's own MiniBrowser, controlled over classic WebDriver. */
export class WebKitTab extends Tab<Reference> {
  readonly #driver: ChildProcess;
  readonly #home: string;
  readonly #url: string;
  #session = '';

  private constructor(driver: ChildProcess, home: string, port: number) {
    super();
    this.#driver = driver;
    this.#home = home;
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** @param display name of the X server to draw on, such as `:99` */
  static async start(driverPath: string, browserPath: string, display: string): Promise<WebKitTab> {
    const home = await mkdtemp(path.join(tmpdir(), 'tertulia-webkit-'));
    const [port = 0] = await freePorts(1);
    const driver = startProgram(driverPath, [`--port=${port}`, '--host=127.0.0.1'], {
      env: { PATH: process.env.PATH, HOME: home, DISPLAY: display, LANG: 'C.UTF-8' },
      stdio: 'ignore',
    });
    const tab = new WebKitTab(driver, home, port);
    await eventually('WebKitWebDriver listens', () =>
      tab.#call('GET', '/status').then(
        () => true,
        () => false,
      ),
    );
    const options = { binary: browserPath, args: ['--automation'] };
    const alwaysMatch = { 'webkitgtk:browserOptions': options };
    const { sessionId } = await tab.#call<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch },
    });
    tab.#session = `/session/${sessionId}`;
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inSession('DELETE', '');
    await endProgram(this.#driver);
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(url: string): Promise<void> {
    await this.#inSession('POST', '/url', { url });
  }

  async replace(): Promise<void> {
    const { handle } = await this.#inSession<{ handle: string }>('POST', '/window/new', {
      type: 'tab',
    });
    await this.#inSession('DELETE', '/window');
    await this.#inSession('POST', '/window', { handle });
  }

  run<A extends unknown[], R>(
    inPage: (...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<Awaited<R>> {
    const script = `const [done, ...args] = [...arguments].reverse();
      Promise.resolve((${inPage})(...args.reverse())).then(done);`;
    return this.#inSession('POST', '/execute/async', { script, args });
  }

  protected find(role: Role, name: string): Promise<Reference | null> {
    return this.run(findInPage, role, name) as Promise<Reference | null>;
  }

  protected async clickOn(element: Reference): Promise<void> {
    const click = () => this.#inSession('POST', `/element/${element[elementKey]}/click`, {});
    // The driver clicks nothing, and says so, while the page moves the element or another one covers it.
    await eventually('the element can be clicked', () =>
      click().then(
        () => true,
        (error: Error) => {
          if (error.message.includes('element not interactable')) return false;
          throw error;
        },
      ),
    );
  }

  /** @param text without emoji: WebKitWebDriver drops characters above U+FFFF */
  protected async typeInto(element: Reference, text: string): Promise<void> {
    await this.#inSession('POST', `/element/${element[elementKey]}/value`, { text });
  }

  protected chooseFileIn(element: Reference, file: string): Promise<void> {
    return this.typeInto(element, file);
  }

  #inSession<T>(method: string, command: string, body?: unknown): Promise<T> {
    return this.#call(method, this.#session + command, body);
  }

  /** @returns the value of a command's response @throws the error that it reports */
  async #call<T>(method: string, command: string, body?: unknown): Promise<T> {
    const response = await fetch(this.#url + command, {
      method,
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as {
      value: T & { error?: string; message?: string };
    };
    if (!response.ok) throw new Error(`${command}: ${value.error}: ${value.message}`);
    return value;
  }
}
