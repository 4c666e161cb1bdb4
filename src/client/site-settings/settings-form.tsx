import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import type {
  Registration,
  SavedSettings,
  SettingsChange,
  SiteSettings,
} from '../../shared/site-settings.ts';
import { type Failure, fieldError, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import { CommentText } from '../comments/comment-text.tsx';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import forms from '../components/form-page.module.css';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import choices from '../settings/deletion.module.css';
import { useStore, useUser } from '../state/store-provider.tsx';
import { siteNameOf, texts } from '../texts.ts';
import styles from './site-settings.module.css';
import { getSettings, saveSettings } from './site-settings-calls.ts';
import { siteTexts } from './site-settings-texts.ts';

const { labels, hints, registrations } = siteTexts;
const settingNames = Object.keys(labels) as (keyof SiteSettings)[];

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
  /** Fetches the settings in force again. */
  reload: () => Promise<unknown>;
}

/** The form of the community's settings. What is typed lasts as long as the page. */
export function SettingsForm({ saved: newest, isAdmin, reload }: SettingsFormProps) {
  const { changeSite } = useStore();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** What was typed, and the settings that it changes: newer ones are not replaced unseen. */
  const [typed, setTyped] = useState<{ saved: SavedSettings; change: SettingsChange } | null>(null);
  const saved = (isAdmin && typed?.saved) || newest;
  const changes = isAdmin && typed ? differing(typed.change, saved) : {};
  const changed = settingNames.filter((name) => name in changes);
  const shown = { ...saved, ...changes };
  const change = (part: SettingsChange) =>
    setTyped((now) => ({ saved: now?.saved ?? newest, change: { ...now?.change, ...part } }));
  const startAnew = () => {
    setFailure(null);
    setTyped(null);
    form.current?.querySelector('input')?.focus();
  };

  const { isBusy, onSubmit } = useSubmit(async () => {
    setFailure(null);
    const result = await request(saveSettings, { revision: saved.revision, change: changes });
    if (!result.ok) {
      if (result.problem?.status === 404) await reload();
      return setFailure(result);
    }
    const { name, welcome, registration, links } = result.value;
    queryClient.setQueryData(callKey(userId, getSettings), result.value);
    changeSite({ name, welcome, registration, ...('links' in changes && { socialLinks: links }) });
    // Text typed while the request ran stays, and is saved next.
    setTyped((now) => (now && now !== typed ? { ...now, saved: result.value } : null));
    showStatus({ text: siteTexts.saved });
  });
  const loadNew = async () => {
    await reload();
    startAnew();
  };
  const canceling = useCanceling({
    form,
    isBusy,
    canEnd: () => changed.length === 0,
    end: startAnew,
  });

  const isConflict = failure?.problem?.code === 'edit_conflict';
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
      {failure && (
        <Alert isScrolledTo>
          {`${siteTexts.notSaved} ${isConflict ? siteTexts.conflict : refusalText(failure)}`}
        </Alert>
      )}
      {isConflict && (
        <p>
          <button type="button" className={buttons.quiet} onClick={loadNew}>
            {siteTexts.loadNew}
          </button>
        </p>
      )}
      {isAdmin && changed.length > 0 && <p className="note">{siteTexts.unsaved(changed)}</p>}
      {isAdmin && (
        <EditButtons
          {...canceling.buttons}
          onCancel={changed.length > 0 ? canceling.buttons.onCancel : undefined}
        />
      )}
    </form>
  );
}
