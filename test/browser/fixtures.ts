import { type Browser, test as base, type Page } from '@playwright/test';
import { Forum, type Person } from '../forum.ts';

interface Fixtures {
  /** Opens a browser of its own, signed in as this person. */
  openAs: (person: Person, options?: Parameters<Browser['newContext']>[0]) => Promise<Page>;
}

/**
 * `forum` is the real server, one a worker; `page` starts as a guest. A test fails when the browser
 * said an error on its console that the test did not expect (see `expectedErrors`).
 */
export const test = base.extend<
  Fixtures & { expectedErrors: RegExp[]; watchErrors: undefined },
  { forum: Forum }
>({
  forum: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const forum = await Forum.start('sqlite');
      await use(forum);
      await forum.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ forum }, use) => use(forum.url),

  expectedErrors: [[], { option: true }],
  watchErrors: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = [];
      const note = (text: string) => {
        if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text);
      };
      context.on('console', (message) => {
        if (message.type() === 'error') note(message.text());
      });
      context.on('weberror', (error) => note(String(error.error())));
      await use(undefined);
      base.expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],

  openAs: async ({ browser, forum }, use) => {
    const opened: (() => Promise<void>)[] = [];
    await use(async (person, options) => {
      const context = await browser.newContext({ baseURL: forum.url, locale: 'es-ES', ...options });
      opened.push(() => context.close());
      await context.addInitScript((user) => {
        // Only once a tab: signing out must last.
        if (sessionStorage.getItem('test-opened')) return;
        sessionStorage.setItem('test-opened', 'yes');
        for (const [key, value] of Object.entries(user)) sessionStorage.setItem(key, value);
      }, sessionOf(person));
      return context.newPage();
    });
    for (const close of opened) await close();
  },
});

export const { expect } = test;

/** What the client keeps of a signed-in person. */
function sessionOf({ id, name, email, img, token }: Person) {
  return { id, name, email, img: img ?? '', isLogged: 'true', token };
}
