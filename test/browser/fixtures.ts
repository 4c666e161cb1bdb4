import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test';
import { Forum, type Person } from '../forum/forum.ts';
import { recordCoverage } from './coverage.ts';
import { OpenStreams } from './open-streams.ts';
import { requestChangesPromptly } from './prompt-changes.ts';

interface StartedForum {
  forum: Forum;
  streams: OpenStreams;
}

interface Fixtures {
  /**
   * Each worker starts one forum for each name, when a test first needs it. Tests share a forum unless posts of other
   * tests would disturb them.
   */
  forumName: string;
  /** Settings of the forum; each name always comes with the same. */
  forumSettings: Record<string, string>;
  /** The real server. */
  forum: Forum;
  /** Counts the live streams of the forum. */
  streams: OpenStreams;
  /** Opens a separate browser context, signed in as this person; null is a guest. */
  openAs: OpenAs;
}

export type OpenAs = (
  person: Person | null,
  options?: Parameters<Browser['newContext']>[0],
) => Promise<Page>;

/** Home pages list channels with a missing cover, which other tests create. */
const missingCover = /404.* at \S*\/files\/images\/a\.jpg(\/\S+)?$/;
/** Playwright's trace requests the previews of chosen files, which the content security policy blocks. */
const tracedBlob = /^Connecting to 'blob:/;

/**
 * Creates something once per forum, for all tests that need it. A worker-scoped fixture of one file would start new
 * workers for that file, which takes seconds.
 */
export function oncePerForum<T>(make: (forum: Forum) => Promise<T>): (forum: Forum) => Promise<T> {
  const made = new WeakMap<Forum, Promise<T>>();
  return (forum) => {
    const value = made.get(forum) ?? make(forum);
    made.set(forum, value);
    return value;
  };
}

/**
 * `page` starts as a guest. A test fails when a browser logs an error that matches none of its `expectedErrors`,
 * which are matched against the error's text and the address it refers to.
 */
export const test = base.extend<
  Fixtures & { expectedErrors: RegExp[]; watchErrors: (context: BrowserContext) => void },
  { forums: (name: string, settings?: Record<string, string>) => Promise<StartedForum> }
>({
  forums: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const started = new Map<string, Promise<StartedForum>>();
      const start = async (settings?: Record<string, string>) => {
        const forum = await Forum.start('sqlite', settings);
        return { forum, streams: new OpenStreams(forum.app.server) };
      };
      await use((name, settings) => {
        const one = started.get(name) ?? start(settings);
        started.set(name, one);
        return one;
      });
      for (const one of started.values()) await (await one).forum.stop();
    },
    { scope: 'worker' },
  ],
  forumName: ['shared', { option: true }],
  forumSettings: [{}, { option: true }],
  forum: async ({ forums, forumName, forumSettings }, use) =>
    use((await forums(forumName, forumSettings)).forum),
  streams: async ({ forums, forumName }, use) => use((await forums(forumName)).streams),
  baseURL: async ({ forum }, use) => use(forum.url),

  expectedErrors: [[], { option: true }],
  watchErrors: [
    async ({ expectedErrors }, use) => {
      const errors: string[] = [];
      const expected = [...expectedErrors, missingCover, tracedBlob];
      const record = (text: string) => {
        if (!expected.some((known) => known.test(text))) errors.push(text);
      };
      const watch = (watched: BrowserContext) => {
        recordCoverage(watched);
        watched.on('console', (message) => {
          if (message.type() === 'error') record(`${message.text()} at ${message.location().url}`);
        });
        watched.on('weberror', (error) => record(String(error.error())));
      };
      await use(watch);
      base.expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, watchErrors }, use) => {
    watchErrors(context);
    await requestChangesPromptly(context);
    await use(context);
  },

  openAs: async ({ browser, forum, watchErrors }, use) => {
    const opened: (() => Promise<void>)[] = [];
    await use(async (person, options) => {
      const context = await browser.newContext({ baseURL: forum.url, locale: 'es-ES', ...options });
      opened.push(() => context.close());
      watchErrors(context);
      await requestChangesPromptly(context);
      if (!person) return context.newPage();
      await context.addInitScript((user) => {
        // The blank first page has no storage. Each tab is signed in only once, because signing out must last.
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
