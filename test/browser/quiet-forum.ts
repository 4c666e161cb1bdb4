import type { Forum } from '../forum/forum.ts';
import { test as base, serveForum } from './fixtures.ts';

export { expect } from './fixtures.ts';

/** Tests of one file on a forum of their own. */
export const testOnOwnForum = () =>
  base.extend<object, { forum: Forum }>({
    forum: [serveForum, { scope: 'worker' }],
  });

/**
 * For tests that look for a new channel on the home page: a forum where hardly anybody comments. On
 * others, 20 channels with comments would fill the first page.
 */
export const test = testOnOwnForum();
