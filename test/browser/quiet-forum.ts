import { Forum } from '../forum/forum.ts';
import { test as base } from './fixtures.ts';

export { expect } from './fixtures.ts';

/**
 * For tests that find a new channel on the home page: a forum where few write comments. In the one
 * that the other tests share, those with comments could fill the first page.
 */
export const test = base.extend<object, { forum: Forum }>({
  forum: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const forum = await Forum.start('sqlite');
      await use(forum);
      await forum.stop();
    },
    { scope: 'worker' },
  ],
});
