import { Value } from 'typebox/value';
import type { Follow } from '../../shared/notifications.ts';
import {
  type CommunityFollow,
  type Readers,
  type Registration,
  type Rules,
  type SavedSettings,
  SettingsChange,
  type SiteSettings,
} from '../../shared/site-settings.ts';
import type { LiveBus } from '../database/bus/live-bus.ts';
import { DatabaseUnavailable } from '../database/errors.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Config } from '../system/settings/config.ts';
import { knownZone, serverZone } from '../system/zones.ts';

/** Settings in force until some are saved. */
const defaults: SiteSettings = {
  name: '',
  welcome: '',
  rules: '',
  contact: '',
  links: [],
  zone: '',
  readers: 'everyone' as Readers,
  registration: 'open' as Registration,
  reviewsFirstPosts: false,
  follow: 'chosen' as CommunityFollow,
};

/** Footer links when neither the settings nor the environment have any. */
const neutralLinks = [
  { label: 'GitHub', href: 'https://github.com/' },
  { label: 'Mastodon', href: 'https://joinmastodon.org/' },
  { label: 'Instagram', href: 'https://www.instagram.com/' },
];

type Environment = Pick<Config, 'contact' | 'socialLinks'>;

/**
 * Reads the settings from the database, so that a change applies to all processes at once.
 * @returns `saved` has those that were saved, which may equal the default; `settings` all of them
 */
export async function readSettings(db: Database): Promise<{
  revision: number;
  savedAt: string | null;
  saved: Partial<SiteSettings>;
  settings: SiteSettings;
}> {
  const row = await db
    .selectFrom('site_settings')
    .select(['revision', 'saved_at_ms', 'settings'])
    .where('id', '=', 1)
    .executeTakeFirst();
  if (!row) return { revision: 0, savedAt: null, saved: {}, settings: defaults };
  const saved = Value.Parse(SettingsChange, JSON.parse(row.settings));
  const { revision, saved_at_ms } = row;
  return { revision, savedAt: toInstant(saved_at_ms), saved, settings: { ...defaults, ...saved } };
}

/** Whether an account administers the site, be it one that cannot act now. */
export async function isFounded(db: Database): Promise<boolean> {
  const admin = await db
    .selectFrom('accounts')
    .select('id')
    // The index of staff needs this condition.
    .where('role', '<>', 'member')
    .where('role', '=', 'admin')
    .where('erased_at_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}

/** The settings in force, without the environment's overrides. */
export async function settingsInForce(db: Database): Promise<SiteSettings> {
  return (await readSettings(db)).settings;
}

/** The level of channels for people who chose none. */
export const levelOf = ({ follow }: Pick<SiteSettings, 'follow'>): Follow =>
  follow === 'all' ? 'all' : 'mine';

/** The time zone of the community: the server's while admins have named none, or one that this server does not know. */
export async function communityZone(db: Database): Promise<string> {
  return knownZone((await settingsInForce(db)).zone) ?? serverZone;
}

/** The zone in which new dates are written: the community's, or else the writer's if this server knows it. */
export async function zoneForDates(db: Database, writers: string | undefined): Promise<string> {
  const { zone } = await settingsInForce(db);
  return knownZone(zone) ?? knownZone(writers ?? '') ?? serverZone;
}

/** The zone that is used for an account: its own, or the community's if it has none that this server knows. */
export async function zoneInForce(db: Database, zone: string | null): Promise<string> {
  return knownZone(zone ?? '') ?? (await communityZone(db));
}

export interface ShownSettings extends SiteSettings {
  isFounded: boolean;
}

/** The settings that pages show: the environment takes precedence, and there are always links. */
async function shownSettings(db: Database, config: Environment): Promise<ShownSettings> {
  const settings = withEnvironment(await settingsInForce(db), config);
  const links = settings.links.length > 0 ? settings.links : neutralLinks;
  return { ...settings, links, isFounded: await isFounded(db) };
}

/**
 * The settings that pages show, cached until the next `profile` change, which saving them and making an admin announce. While the database
 * does not respond, returns the last settings read, because pages without data are served without it.
 */
export async function rememberedSettings(
  db: Database,
  live: LiveBus,
  config: Environment,
): Promise<() => Promise<ShownSettings>> {
  let reading: Promise<ShownSettings> | undefined;
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
  const { settings, saved, ...state } = await readSettings(db);
  return {
    ...withEnvironment(settings, config),
    ...state,
    decided: Object.keys(saved) as (keyof SiteSettings)[],
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
