import type {
  Readers,
  Registration,
  Rules,
  SavedSettings,
  SiteSettings,
} from '../../../shared/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import type { LiveBus } from '../bus/live-bus.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { type Database, toInstant } from '../tables.ts';

/** Settings in force until some are saved. */
const defaults: SiteSettings = {
  ...{ name: '', welcome: '', rules: '', contact: '', links: [] },
  ...{ readers: 'everyone' as Readers, registration: 'open' as Registration },
  reviewsFirstPosts: false,
};

/** Footer links when neither the settings nor the environment have any. */
const neutralLinks = [
  { label: 'GitHub', href: 'https://github.com/' },
  { label: 'Mastodon', href: 'https://joinmastodon.org/' },
  { label: 'Instagram', href: 'https://www.instagram.com/' },
];

type Environment = Pick<Config, 'contact' | 'socialLinks'>;

/** Reads the settings from the database, so that a change applies to all processes at once. */
export async function readSettings(
  db: Database,
): Promise<{ revision: number; savedAt: string | null; settings: SiteSettings }> {
  const row = await db
    .selectFrom('site_settings')
    .select(['revision', 'saved_at_ms', 'settings'])
    .where('id', '=', 1)
    .executeTakeFirst();
  if (!row) return { revision: 0, savedAt: null, settings: defaults };
  const settings = { ...defaults, ...(JSON.parse(row.settings) as SiteSettings) };
  return { revision: row.revision, savedAt: toInstant(row.saved_at_ms), settings };
}

/** The settings in force, without the environment's overrides. */
export async function settingsInForce(db: Database): Promise<SiteSettings> {
  return (await readSettings(db)).settings;
}

/** The settings that pages show: the environment takes precedence, and there are always links. */
async function shownSettings(db: Database, config: Environment): Promise<SiteSettings> {
  const settings = withEnvironment(await settingsInForce(db), config);
  return { ...settings, links: settings.links.length > 0 ? settings.links : neutralLinks };
}

/**
 * The settings that pages show, cached until the next `profile` change, which saving them announces. While the database
 * does not respond, returns the last settings read, because pages without data are served without it.
 */
export async function rememberedSettings(
  db: Database,
  live: LiveBus,
  config: Environment,
): Promise<() => Promise<SiteSettings>> {
  let reading: Promise<SiteSettings> | undefined;
  live.watch((message) => {
    if (message === 'gap' || message.kind === 'profile') reading = undefined;
  });
  let last = await shownSettings(db, config);
  return async () => {
    // Changes by other processes go unnoticed while the bus is disconnected.
    if (!live.isListening) reading = undefined;
    reading ??= shownSettings(db, config);
    try {
      last = await reading;
    } catch (error) {
      reading = undefined;
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
    return last;
  };
}

export async function readRules(db: Database, config: Environment): Promise<Rules> {
  const { savedAt, settings } = await readSettings(db);
  const { rules, contact } = withEnvironment(settings, config);
  return { rules, contact, savedAt };
}

/** The settings, with those overridden by the environment listed in `fixed`. */
export async function describeSettings(db: Database, config: Environment): Promise<SavedSettings> {
  const { settings, ...saved } = await readSettings(db);
  return {
    ...withEnvironment(settings, config),
    ...saved,
    fixed: [
      ...(config.contact === undefined ? [] : (['contact'] as const)),
      ...(config.socialLinks === undefined ? [] : (['links'] as const)),
    ],
  };
}

const withEnvironment = (settings: SiteSettings, config: Environment): SiteSettings => ({
  ...settings,
  contact: config.contact ?? settings.contact,
  links: config.socialLinks ?? settings.links,
});
