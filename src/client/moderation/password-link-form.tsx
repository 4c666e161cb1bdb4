import { useEffect, useRef, useState } from 'react';
import type { PasswordLink } from '../../shared/moderation.ts';
import { type Failure, failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { copyLink } from '../components/copy-link.ts';
import { TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { texts } from '../texts.ts';
import { fullTime } from '../time/time-words.ts';
import { makePasswordLink } from './report-calls.ts';
import styles from './report-form.module.css';
import { staffTexts } from './staff-texts.ts';

/** Makes a link with which a person can choose a new password, and shows it. */
export function PasswordLinkForm({ personId, onEnd }: { personId: string; onEnd: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [link, setLink] = useState<PasswordLink | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const focused = link ? 'input' : 'button';
  useEffect(() => form.current?.querySelector<HTMLElement>(focused)?.focus(), [focused]);

  const { isBusy, onSubmit } = useSubmit(async () => {
    setFailure(null);
    const result = await request(makePasswordLink, personId);
    if (result.ok) setLink(result.value);
    else setFailure(result);
  });
  return (
    <form ref={form} className={styles.form} method="post" onSubmit={onSubmit}>
      {link ? (
        <TextField
          label={staffTexts.link}
          hint={staffTexts.linkUntil(fullTime(link.endsAt))}
          value={link.url}
          readOnly
          onFocus={({ target }) => target.select()}
        />
      ) : (
        <p>{staffTexts.linkIntro}</p>
      )}
      {failure && <Alert>{`${staffTexts.linkFailed} ${failureText(failure)}`}</Alert>}
      <p className={styles.buttons}>
        {link ? (
          <button type="button" className={buttons.quiet} onClick={() => copyLink(link.url)}>
            {texts.copyLink}
          </button>
        ) : (
          <SubmitButton label={staffTexts.makeLink} isBusy={isBusy} />
        )}
        <button type="button" className={buttons.quiet} onClick={onEnd}>
          {staffTexts.close}
        </button>
      </p>
    </form>
  );
}
