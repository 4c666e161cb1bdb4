import { readSettings } from '../../src/server/database/site/site-settings.ts';
import { saveSettings } from '../../src/server/moderation/site/save-site-settings.ts';
import type { SettingsChange, SiteSettings } from '../../src/shared/site-settings.ts';
import type { Forum } from './forum.ts';

const defaults: SiteSettings = {
  ...{ name: '', welcome: '', rules: '', contact: '', links: [] },
  ...{ registration: 'open', reviewsFirstPosts: false },
};

/** Saves settings of the community as the operator, with defaults for those left out. */
export async function changeSettings(forum: Forum, change: SettingsChange): Promise<void> {
  const operator = { ...forum.deps, actor: 'ada', note: '' };
  const { revision } = await readSettings(forum.deps.db);
  await saveSettings(operator, `"${revision}"`, { ...defaults, ...change });
}

export const reviewFirstPosts = (forum: Forum) =>
  changeSettings(forum, { reviewsFirstPosts: true });
