import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test';
import { Forum, type Person } from '../forum/forum.ts';

interface Fixtures {
  /** Opens a browser of its own, signed in as this person. */
  openAs: (person: Person, options?: Parameters<Browser['newContext']>[0]) => Promise<Page>;
}

/** `forum.channel()` sets a cover that does not exist, so every home page logs an error. */
const missingCover = /404.* at \S*\/files\/images\/a\.jpg(\/\S+)?$/;
/** Playwright's trace requests the previews of chosen files, which the content security policy blocks. */
const tracedBlob = /^Connecting to 'blob:/;

/** Fixture function that runs a forum on the real server. */
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
export async function serveForum({}, use: (forum: Forum) => Promise<void>): Promise<void> {
  const forum = await Forum.start('sqlite');
  await use(forum);
  await forum.stop();
}

/**
 * `forum` is the real server, one a worker; `page` starts as a guest. A test fails when a browser
 * logs an error that matches none of its `expectedErrors`; they are matched against the error's text
 * and the address it is about.
 */
export const test = base.extend<
  Fixtures & { expectedErrors: RegExp[]; watchErrors: (context: BrowserContext) => void },
  { forum: Forum }
>({
  forum: [serveForum, { scope: 'worker' }],
  baseURL: async ({ forum }, use) => use(forum.url),

  expectedErrors: [[], { option: true }],
  watchErrors: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = [];
      const expected = [...expectedErrors, missingCover, tracedBlob];
      const record = (text: string) => {
        if (!expected.some((known) => known.test(text))) errors.push(text);
      };
      const watch = (watched: BrowserContext) => {
        watched.on('console', (message) => {
          if (message.type() === 'error') record(`${message.text()} at ${message.location().url}`);
        });
        watched.on('weberror', (error) => record(String(error.error())));
      };
      watch(context);
      await use(watch);
      base.expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],

  openAs: async ({ browser, forum, watchErrors }, use) => {
    const opened: (() => Promise<void>)[] = [];
    await use(async (person, options) => {
      const context = await browser.newContext({ baseURL: forum.url, locale: 'es-ES', ...options });
      opened.push(() => context.close());
      watchErrors(context);
      await context.addInitScript((user) => {
        // The blank first page has no storage. Only once per tab: signing out must last.
        if (location.origin === 'null' || window.name === 'opened') return;
        for (const [key, value] of Object.entries(user)) sessionStorage.setItem(key, value);
        window.name = 'opened';
      }, sessionOf(person));
      return context.newPage();
    });
    for (const close of opened) await close();
  },
});

export const { expect } = test;

/** The client's session storage for a signed-in person. */
function sessionOf({ id, name, email, img, token }: Person) {
  return { id, name, email, img: img ?? '', isLogged: 'true', token };
}
