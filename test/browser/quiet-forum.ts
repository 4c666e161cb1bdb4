import type { Forum } from '../forum/forum.ts';
import { test as base, serveForum } from './fixtures.ts';

export { expect } from './fixtures.ts';

/**
 * For tests that look for a new channel on the home page: a forum where few comments are written. On
 * the forum of the other tests, channels with comments could fill the first page.
 */
export const test = base.extend<object, { forum: Forum }>({
  forum: [serveForum, { scope: 'worker' }],
});
