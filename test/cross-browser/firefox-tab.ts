import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BidiConnection } from './bidi-connection.ts';
import { findInOutput, startProgram } from './start-program.ts';
import { findInPage, type Role, Tab } from './tab.ts';

/** Reference to an element in WebDriver BiDi. */
interface SharedReference {
  sharedId: string;
}

/** Firefox, controlled over WebDriver BiDi without a driver program. */
export class FirefoxTab extends Tab<SharedReference> {
  readonly #browser: ChildProcess;
  readonly #profile: string;
  readonly #connection: BidiConnection;
  /** Id of the tab. */
  #context: string;

  private constructor(
    browser: ChildProcess,
    profile: string,
    connection: BidiConnection,
    context: string,
  ) {
    super();
    this.#browser = browser;
    this.#profile = profile;
    this.#connection = connection;
    this.#context = context;
  }

  /** @param preferences `about:config` preferences that differ from the defaults, as lines of a `user.js` */
  static async start(program: string, preferences = ''): Promise<FirefoxTab> {
    const profile = await mkdtemp(path.join(tmpdir(), 'tertulia-firefox-'));
    await writeFile(path.join(profile, 'user.js'), preferences);
    const args = [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port',
      '0',
    ];
    const browser = startProgram(program, args, {
      env: { PATH: process.env.PATH, HOME: profile },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await findInOutput(browser, 'stderr', /ws:\/\/\S+/);
    const connection = await BidiConnection.open(`${address}/session`);
    await connection.send('session.new', { capabilities: {} });
    const { contexts } = await connection.send<{ contexts: { context: string }[] }>(
      'browsingContext.getTree',
      {},
    );
    const tab = new FirefoxTab(browser, profile, connection, contexts[0]?.context ?? '');
    // The first tab shows about:home, which never passes the focus to another page.
    await tab.replace();
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const hasEnded = once(this.#browser, 'exit');
    await this.#connection.send('browser.close', {});
    await hasEnded;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' });
  }

  async replace(): Promise<void> {
    const { context } = await this.#connection.send<{ context: string }>('browsingContext.create', {
      type: 'tab',
    });
    await this.#send('browsingContext.close', {});
    this.#context = context;
  }

  async run<A extends unknown[], R>(
    inPage: (...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<Awaited<R>> {
    const json = `async () => JSON.stringify({ result: await (${inPage})(...${JSON.stringify(args)}) })`;
    return JSON.parse((await this.#call<{ value: string }>(json)).value).result;
  }

  protected async find(role: Role, name: string): Promise<SharedReference | null> {
    const found = `() => (${findInPage})(...${JSON.stringify([role, name])})`;
    const { sharedId } = await this.#call<Partial<SharedReference>>(found);
    return sharedId ? { sharedId } : null;
  }

  protected async clickOn(element: SharedReference): Promise<void> {
    await this.#call('(element) => element.scrollIntoView({ block: "center" })', element);
    const origin = { type: 'element', element };
    await this.#perform({ type: 'pointer', id: 'mouse' }, [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  protected async typeInto(element: SharedReference, text: string): Promise<void> {
    await this.#call(
      '(element) => { element.focus(); element.setSelectionRange?.(-1, -1); }',
      element,
    );
    const keys = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#perform({ type: 'key', id: 'keyboard' }, keys);
  }

  protected async chooseFileIn(element: SharedReference, file: string): Promise<void> {
    await this.#send('input.setFiles', { element, files: [file] });
  }

  #perform(device: { type: string; id: string }, actions: object[]): Promise<unknown> {
    return this.#send('input.performActions', { actions: [{ ...device, actions }] });
  }

  /** Calls a function in the page. @returns its result as the protocol serializes it */
  async #call<T>(functionDeclaration: string, ...args: SharedReference[]): Promise<T> {
    const { result, exceptionDetails } = await this.#connection.send<{
      result: T;
      exceptionDetails?: { text: string };
    }>('script.callFunction', {
      functionDeclaration,
      arguments: args,
      awaitPromise: true,
      target: { context: this.#context },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result;
  }

  /** Sends a command about this tab. */
  #send(command: string, params: object): Promise<unknown> {
    return this.#connection.send(command, { context: this.#context, ...params });
  }
}
