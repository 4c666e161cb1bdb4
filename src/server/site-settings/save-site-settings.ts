import { isDeepStrictEqual } from 'node:util';
import { visibleName } from '../../shared/clean-text.ts';
import { limits } from '../../shared/limits.ts';
import type { SettingsChange, SiteSettings } from '../../shared/site-settings.ts';
import { lockStaff } from '../accounts/staff.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import { type Precondition, repeats } from '../http/revisions.ts';
import { audited, type Moderator } from '../moderation/audited.ts';
import { readSettings } from './site-settings.ts';

/**
 * Changes the settings. Of several changes of the same revision one is stored. A change that is in force already changes
 * nothing, whatever revision the request names.
 * @param readChange throws when a part is invalid; called after all other checks
 * @throws ApiError `revision_required`, `edit_conflict`, `invalid_fields`; `not_found` for who is no admin any more
 */
export async function saveSettings(
  moderator: Moderator,
  precondition: Precondition,
  readChange: () => SettingsChange,
): Promise<void> {
  const { callerId = null, now } = moderator;
  const entry = { row: 'site settings', action: 'change-settings', subject: 'site' };
  await audited(moderator, entry, async (trx, announce) => {
    // Changes by several admins run one after the other.
    const staff = callerId === null ? [] : await lockStaff(trx, callerId);
    if (callerId !== null && staff.find(({ id }) => id === callerId)?.role !== 'admin')
      throw new ApiError('not_found');
    const current = await readSettings(trx);
    const isAllowed = precondition.allows(current);
    const parse = () => parseSettings({ ...current.settings, ...readChange() });
    if (repeats(() => isDeepStrictEqual(parse(), current.settings))) return;
    if (!isAllowed) throw new ApiError('edit_conflict');
    const parsed = parse();
    const row = {
      ...{ revision: current.revision + 1, saved_at_ms: now(), settings: JSON.stringify(parsed) },
      holds_first_posts: parsed.holdsFirstPosts ? 1 : 0,
    };
    await trx
      .insertInto('site_settings')
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    // All pages show the name, so caches drop everything, as for a change of a profile.
    await announce({ kind: 'profile', accountId: callerId ?? '' });
  });
}

/** @throws ApiError `invalid_fields` */
function parseSettings(given: SiteSettings): SiteSettings {
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
  const settings = {
    name: line('name', given.name, limits.siteNameChars),
    welcome: line('welcome', given.welcome, limits.welcomeChars),
    rules: fields.optionalText('rules', given.rules, limits.rulesChars),
    contact: line('contact', given.contact, limits.contactChars),
    registration: given.registration,
    holdsFirstPosts: given.holdsFirstPosts,
    links: given.links.map(link),
  };
  if (![0, 3].includes(settings.links.length))
    fields.reject('links', 'Pon tres enlaces o ninguno.');
  fields.done();
  return settings;
}
