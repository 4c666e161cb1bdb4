import { saveSettings } from '../../src/server/site-settings/save-site-settings.ts';
import { readSettings } from '../../src/server/site-settings/site-settings.ts';
import type { SettingsChange, SiteSettings } from '../../src/shared/site-settings.ts';
import type { Forum } from './forum.ts';

const defaults: SiteSettings = {
  name: '',
  welcome: '',
  rules: '',
  contact: '',
  links: [],
  zone: '',
  readers: 'everyone',
  registration: 'open',
  reviewsFirstPosts: false,
  follow: 'chosen',
};

/** Saves community settings as the operator. Omitted settings get their defaults. */
export async function changeSettings(forum: Forum, change: SettingsChange): Promise<void> {
  const operator = { ...forum.services, actorName: 'ada', note: '' };
  const { revision } = await readSettings(forum.services.db);
  await saveSettings(
    operator,
    `"${revision}"`,
    { ...defaults, ...change },
    {
      hasCookies: true,
      hasContact: false,
    },
  );
}

export const reviewFirstPosts = (forum: Forum) =>
  changeSettings(forum, { reviewsFirstPosts: true });
