import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import type { Registration, SavedSettings, SettingsChange } from '../../shared/site-settings.ts';
import { type Failure, failureText, fieldError, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import { CommentText } from '../comments/comment-text.tsx';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import forms from '../components/form-page.module.css';
import lists from '../components/list.module.css';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import choices from '../settings/deletion.module.css';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { siteNameOf, texts } from '../texts.ts';
import { fullTime } from '../time/time-words.ts';
import styles from './site-settings.module.css';
import { getSettings, getVersion, saveSettings } from './site-settings-calls.ts';
import { siteTexts } from './site-settings-texts.ts';
import { inWords, settingNames, settingsDraft } from './unsaved.ts';

const { labels, hints, registrations } = siteTexts;

/** The part of the settings that differs from what is in force and can be changed here. */
const differing = (wanted: SettingsChange, saved: SavedSettings): SettingsChange =>
  Object.fromEntries(
    settingNames
      .filter((name) => !saved.fixed.some((one) => one === name) && wanted[name] !== undefined)
      .filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(saved[name]))
      .map((name) => [name, wanted[name]]),
  );

interface SettingsFormProps {
  saved: SavedSettings;
  /** Others only read. */
  isAdmin: boolean;
  /** Called when somebody else has saved meanwhile, or the account has lost its role. */
  onStale: () => Promise<unknown>;
}

/** The form of the community's settings. Unsaved changes are stored as a draft. */
export function SettingsForm({ saved, isAdmin, onStale }: SettingsFormProps) {
  const { changeSite } = useStore();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const draft = settingsDraft(userId, saved.revision);
  const stored = useDraft(draft, (content) => content);
  const changes = isAdmin ? differing(stored.typed, saved) : {};
  const changed = settingNames.filter((name) => name in changes);
  const shown = { ...saved, ...changes };
  const isStale = changed.length > 0 && stored.revision < saved.revision;
  const fill = (wanted: SettingsChange) => {
    const typed = differing(wanted, saved);
    if (Object.keys(typed).length > 0) changeDraft(draft, { typed });
    else discardDraft(draft);
  };
  const change = (part: SettingsChange) => fill({ ...readDraft(draft).typed, ...part });
  const startAnew = (wanted: SettingsChange) => {
    setFailure(null);
    fill(wanted);
    form.current?.querySelector('input')?.focus();
  };

  const { isBusy, onSubmit } = useSubmit(async () => {
    setFailure(null);
    const result = await request(saveSettings, { revision: saved.revision, change: changes });
    if (!result.ok) {
      const status = result.problem?.status;
      if (status === 404 || status === 412) await onStale();
      return setFailure(result);
    }
    const { name, welcome, registration, links, revision } = result.value;
    queryClient.setQueryData(callKey(userId, getSettings), result.value);
    changeSite({ name, welcome, registration, ...('links' in changes && { socialLinks: links }) });
    // Text typed while the request ran stays, and is saved next.
    if (readDraft(draft).typed === stored.typed) discardDraft(draft);
    else changeDraft(draft, { revision });
    showStatus({ text: siteTexts.saved });
  });
  const bringBack = async (revision: number) => {
    if (changed.length > 0) return showStatus({ text: siteTexts.unsavedFirst });
    const result = await request(getVersion, revision);
    if (!result.ok) return showStatus({ text: failureText(result) });
    const isSame = Object.keys(differing(result.value, saved)).length === 0;
    // Text typed while the request ran stays.
    const wanted = { ...result.value, ...readDraft(draft).typed };
    startAnew(wanted);
    showStatus({ text: isSame ? siteTexts.sameVersion : siteTexts.broughtBack });
  };
  const canceling = useCanceling({
    form,
    isBusy,
    canEnd: () => changed.length === 0,
    end: () => startAnew({}),
  });

  const isFixed = (name: string) => saved.fixed.some((one) => one === name);
  const textField = (name: keyof typeof hints, value: string, to: (text: string) => void) => ({
    value,
    autoComplete: 'off',
    dir: 'auto',
    readOnly: !isAdmin || isFixed(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => to(currentTarget.value),
  });
  const field = (name: 'name' | 'welcome' | 'rules' | 'contact') => ({
    label: labels[name],
    hint: isFixed(name) ? siteTexts.fixed : hints[name],
    error: fieldError(failure, name),
    ...textField(name, shown[name], (text) => change({ [name]: text })),
  });
  const links = [0, 1, 2].map((index) => shown.links[index] ?? { label: '', href: '' });
  const linkField = (index: number, part: 'label' | 'href') =>
    textField('links', links[index]?.[part] ?? '', (text) => {
      const next = links.map((link, one) => (one === index ? { ...link, [part]: text } : link));
      change({ links: next.some(({ label, href }) => label || href) ? next : [] });
    });

  return (
    <>
      <form ref={form} className={forms.form} method="post" onSubmit={onSubmit}>
        <TextField {...field('name')} maxLength={limits.rawFactor * limits.siteNameChars} />
        <TextField {...field('welcome')} />
        <TextAreaField {...field('rules')} rows={12} />
        <TextField {...field('contact')} />
        <fieldset className={choices.choices} disabled={!isAdmin}>
          <legend>{labels.registration}</legend>
          {Object.entries(registrations).map(([value, [label, hint]]) => (
            <CheckField
              key={value}
              type="radio"
              name="registration"
              {...{ label, hint }}
              checked={shown.registration === value}
              onChange={() => change({ registration: value as Registration })}
            />
          ))}
        </fieldset>
        <CheckField
          label={labels.holdsFirstPosts}
          hint={hints.holdsFirstPosts}
          disabled={!isAdmin}
          checked={shown.holdsFirstPosts}
          onChange={({ currentTarget }) => change({ holdsFirstPosts: currentTarget.checked })}
        />
        <fieldset className={choices.choices}>
          <legend>{labels.links}</legend>
          <div className={forms.form}>
            <p className="note">{isFixed('links') ? siteTexts.fixed : hints.links}</p>
            {[0, 1, 2].flatMap((index) =>
              (['label', 'href'] as const).map((part) => (
                <TextField
                  key={part + index}
                  label={`${siteTexts.link[part]} ${index + 1}`}
                  error={fieldError(failure, `links.${index}.${part}`)}
                  {...linkField(index, part)}
                />
              )),
            )}
          </div>
        </fieldset>
        <details>
          <summary>{siteTexts.preview}</summary>
          <div className={`box ${styles.shown}`}>
            <strong>
              <bdi>{siteNameOf(shown)}</bdi>
            </strong>
            <p dir="auto">{shown.welcome || texts.lede}</p>
            <CommentText text={shown.rules} />
          </div>
        </details>
        {isStale && (
          <div role="alert" className={`box ${styles.shown}`}>
            <p>{siteTexts.conflict}</p>
            {changed.map((name) => (
              <p key={name} dir="auto">
                <strong>{labels[name]}:</strong> {inWords(name, saved[name])}
              </p>
            ))}
          </div>
        )}
        {failure && <Alert isScrolledTo>{`${siteTexts.notSaved} ${refusalText(failure)}`}</Alert>}
        {isAdmin && changed.length > 0 && <p className="note">{siteTexts.unsaved(changed)}</p>}
        {isAdmin && (
          <EditButtons
            {...canceling.buttons}
            onCancel={changed.length > 0 ? canceling.buttons.onCancel : undefined}
          />
        )}
      </form>
      <details hidden={saved.versions.length === 0}>
        <summary>{siteTexts.versions}</summary>
        <ul className={lists.list}>
          {saved.versions.map(({ revision, savedAt, savedBy }) => (
            <li key={revision} className={lists.item}>
              <p className={lists.what}>
                {fullTime(savedAt)} <bdi>{savedBy}</bdi>
                {revision === saved.revision && ` · ${siteTexts.inForce}`}
              </p>
              {isAdmin && revision !== saved.revision && (
                <button
                  type="button"
                  className={buttons.quiet}
                  aria-label={`${siteTexts.bringBack}: ${fullTime(savedAt)}`}
                  onClick={() => bringBack(revision)}
                >
                  {siteTexts.bringBack}
                </button>
              )}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
