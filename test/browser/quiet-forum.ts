import { test as base } from './fixtures.ts';

export { expect } from './fixtures.ts';

/**
 * For tests that look for a new channel on the home page: a forum where hardly anybody comments. On
 * others, 20 channels with comments would fill the first page.
 */
export const test = base.extend({ forumName: 'quiet' });
