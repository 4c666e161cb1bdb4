import { test as base } from './fixtures.ts';

export { expect } from './fixtures.ts';

/**
 * A forum with few comments, for tests that look for a new channel on the home page. Elsewhere, 20 channels with
 * comments would fill the first page.
 */
export const test = base.extend({ forumName: 'quiet' });
