import { useEffect } from 'react';
import type { Registration, SettingsChange, SiteSettings } from '../../shared/site-settings.ts';
import { copyText } from '../components/copy-text.ts';
import { showStatus } from '../components/status-bar.tsx';
import { useUser } from '../state/store-provider.tsx';
import { type Draft, discardDraft, readDraft } from '../storage/drafts.ts';
import { subjectTexts } from '../subject-texts.ts';
import { siteTexts } from './site-settings-texts.ts';

const { labels, registrations } = siteTexts;
export const settingNames = Object.keys(labels) as (keyof SiteSettings)[];

/**
 * The draft of the settings: the changes that an admin has typed and not saved.
 * @param revision the version that is in force
 */
export const settingsDraft = (
  userId: string,
  revision: number,
): Draft<{ typed: SettingsChange; revision: number }> => ({
  key: `site-settings ${userId}`,
  unchanged: { typed: {}, revision },
});

/**
 * Offers what was typed to an account that may not save it any more, each time that the page is opened until it
 * is copied.
 */
export function useLostChanges(isLost: boolean): void {
  const { id } = useUser();
  useEffect(() => {
    const draft = settingsDraft(id, 0);
    const { typed } = readDraft(draft);
    const names = settingNames.filter((name) => name in typed);
    if (!isLost || names.length === 0) return;
    const text = names.map((name) => `${labels[name]}: ${inWords(name, typed[name])}`).join('\n\n');
    const run = () => {
      discardDraft(draft);
      return copyText(text);
    };
    showStatus({ text: siteTexts.lost, action: { label: subjectTexts.copyTyped, run } });
  }, [isLost, id]);
}

/** The value of a setting as text. */
export function inWords(name: keyof SiteSettings, value: SettingsChange[typeof name]): string {
  if (typeof value === 'boolean') return siteTexts[value ? 'yes' : 'no'];
  if (Array.isArray(value)) {
    const links = value.filter(({ label, href }) => label || href);
    return links.map(({ label, href }) => `\n${label}: ${href}`).join('') || siteTexts.noLinks;
  }
  if (name === 'registration') return registrations[value as Registration][0];
  return value || siteTexts.empty;
}
