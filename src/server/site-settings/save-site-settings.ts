import { isDeepStrictEqual } from 'node:util';
import { bulletedText, visibleName } from '../../shared/clean-text.ts';
import { limits } from '../../shared/limits.ts';
import type { SettingsChange, SiteSettings } from '../../shared/site-settings.ts';
import type { Actor } from '../accounts/actor.ts';
import { lockStaff } from '../accounts/standing/staff.ts';
import { audited } from '../database/audit-log.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import { requireRevision } from '../http/revisions.ts';
import { knownZone } from '../system/zones.ts';
import { readSettings } from './site-settings.ts';

interface SiteConditions {
  /** Whether browsers can keep cookies: at an https address, or on localhost. */
  hasCookies: boolean;
  /** Whether the environment has a contact. */
  hasContact: boolean;
}

/**
 * Changes the settings. Only one of several changes to the same revision is stored. Does nothing if the settings are
 * already as requested, whatever the revision.
 * @throws ApiError `invalid_fields`, `revision_required`, `edit_conflict`, `imported_words_visible`; `not_found` when the caller is no longer an
 * admin
 */
export async function saveSettings(
  actor: Actor,
  ifMatch: string | undefined,
  change: SettingsChange,
  site: SiteConditions,
): Promise<void> {
  const { callerId = null, now } = actor;
  const parts = parseChange(change);
  await audited(actor, actor.actorName, 'site settings', async (trx, changed, announce) => {
    // Serializes changes by several admins.
    const staff = callerId === null ? [] : await lockStaff(trx, callerId);
    if (callerId !== null && staff.find(({ id }) => id === callerId)?.role !== 'admin')
      throw new ApiError('not_found');
    const current = await readSettings(trx);
    const settings = { ...current.settings, ...parts };
    // A saved default is a decision, too.
    const saved = { ...current.saved, ...parts };
    const isUnchanged = isDeepStrictEqual(saved, current.saved);
    requireRevision(ifMatch, current, isUnchanged);
    if (isUnchanged) return;
    const hasCookies = site.hasCookies || settings.readers === current.settings.readers;
    requireReaders(settings, { ...site, hasCookies });
    const isOpened = settings.readers === 'everyone' && current.settings.readers === 'members';
    if (isOpened && !change.showsImported && (await showsImported(trx)))
      throw new ApiError('imported_words_visible');
    const row = {
      revision: current.revision + 1,
      saved_at_ms: now(),
      settings: JSON.stringify(saved),
      reviews_first_posts: settings.reviewsFirstPosts ? 1 : 0,
    };
    await trx
      .insertInto('site_settings')
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    changed('change-settings', 'site');
    // All pages show the name, so caches drop everything, as when a profile changes.
    await announce({ kind: 'profile', accountId: callerId ?? '' });
    if (settings.readers !== current.settings.readers)
      await announce({ kind: 'access', accountId: '' });
  });
}

/**
 * Refuses a community of members without a contact, whom guests could not ask, and where browsers could not keep the
 * reading cookie. @throws ApiError `invalid_fields`
 */
function requireReaders(
  { readers, contact }: SiteSettings,
  { hasCookies, hasContact }: SiteConditions,
): void {
  if (readers === 'everyone') return;
  const fields = new FieldParser();
  if (contact === '' && !hasContact)
    fields.reject('contact', 'Pon a quién se pregunta: es lo que lee quien no puede entrar.');
  if (!hasCookies)
    fields.reject('readers', 'Solo se puede con una dirección https:// (PUBLIC_URL).');
  fields.done();
}

/**
 * Whether there are comments of imported people, who do not know of it, also hidden ones, or a chat is being brought. Deleted
 * channels do not count.
 */
async function showsImported(trx: Database): Promise<boolean> {
  const running = await trx
    .selectFrom('imports')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select('channel_id')
    .where('state', '=', 'running')
    .where('channels.deleted_at_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (running) return true;
  const row = await trx
    .selectFrom('comments')
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .select('number')
    .where('person_id', 'is not', null)
    .whereRef('comments.account_id', '=', 'person_id')
    .where('channels.deleted_at_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The given parts. @throws ApiError `invalid_fields` */
function parseChange(given: SettingsChange): SettingsChange {
  const fields = new FieldParser();
  const line = (field: string, raw: string, maxChars: number) =>
    fields.optionalText(field, visibleName(raw), maxChars);
  const link = ({ label, href }: SiteSettings['links'][number], index: number) => {
    const [labelField, hrefField] = [`links.${index}.label`, `links.${index}.href`];
    const parsed = {
      label: line(labelField, label, limits.linkLabelChars),
      href: fields.optionalText(hrefField, href, limits.imageUrlBytes),
    };
    const reject = (field: string, what: string) =>
      fields.reject(field, `Escribe ${what}, o deja vacíos los tres enlaces.`);
    if (parsed.label === '') reject(labelField, `el texto del enlace ${index + 1}`);
    if (!/^https?:\/\/\S+$/i.test(parsed.href) || !URL.canParse(parsed.href))
      reject(hrefField, `la dirección del enlace ${index + 1} entera, desde https://`);
    return parsed;
  };
  const zoneOf = (raw: string) => {
    const zone = knownZone(raw);
    if (zone === undefined)
      fields.reject(
        'zone',
        'El servidor no conoce esa zona horaria. Escríbela como Europe/Madrid, o déjala vacía.',
      );
    return zone ?? '';
  };
  const { name, welcome, rules, contact, links } = given;
  const { readers, registration, reviewsFirstPosts, follow } = given;
  const parts: SettingsChange = {};
  if (readers !== undefined) parts.readers = readers;
  if (follow !== undefined) parts.follow = follow;
  if (registration !== undefined) parts.registration = registration;
  if (reviewsFirstPosts !== undefined) parts.reviewsFirstPosts = reviewsFirstPosts;
  if (name !== undefined) parts.name = line('name', name, limits.siteNameChars);
  if (welcome !== undefined) parts.welcome = line('welcome', welcome, limits.welcomeChars);
  if (rules !== undefined)
    parts.rules = fields.optionalText('rules', bulletedText(rules), limits.rulesChars);
  if (contact !== undefined) parts.contact = line('contact', contact, limits.contactChars);
  if (links !== undefined) {
    parts.links = links.map(link);
    if (![0, 3].includes(links.length)) fields.reject('links', 'Pon tres enlaces o ninguno.');
  }
  const zone = given.zone?.trim();
  if (zone !== undefined) parts.zone = zone && zoneOf(zone);
  fields.done();
  return parts;
}
