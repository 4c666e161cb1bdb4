import { useEffect, useRef, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { type Category, categories } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { type Failure, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { copyLink } from '../components/copy-link.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import type { SubjectPanelProps } from '../components/subject-panel.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { Link } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, textDraft, useDraft } from '../storage/drafts.ts';
import { texts } from '../texts.ts';
import { receiptPrefix } from './log-texts.ts';
import { categoryTexts } from './moderation-texts.ts';
import { report, reportAsGuest } from './report-calls.ts';
import styles from './report-form.module.css';
import { reasonHints, reportTexts } from './report-texts.ts';

/**
 * Reports a subject, and then shows the link to the outcome. What a member types outlives the page, as a draft does; what
 * a guest types does not, since others may use the same browser.
 */
export function ReportForm({ subject, onEnd }: Omit<SubjectPanelProps, 'task'>) {
  const { id: userId, isLogged } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState<Category | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [receipt, setReceipt] = useState('');
  const draft = textDraft(`report-draft ${userId} ${subject.kind} ${subject.id}`);
  const stored = useDraft(draft, (content) => content.text);
  const [typed, setTyped] = useState('');
  const explanation = isLogged ? stored : typed;
  const change = (text: string) => (isLogged ? changeDraft(draft, { text }) : setTyped(text));
  const isIllegal = reason === 'illegal';
  const mustIdentify = isIllegal && !isLogged;

  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { isBusy, onSubmit } = useSubmit(async (submitted) => {
    if (!reason) return;
    setFailure(null);
    const text = explanation.trim();
    const result = await request(isLogged ? report : reportAsGuest, {
      ...subject,
      reason,
      ...(text && { text }),
      ...(mustIdentify && {
        name: fieldText(submitted, 'name'),
        email: fieldText(submitted, 'email'),
        goodFaith: fieldText(submitted, 'goodFaith') !== '',
      }),
    });
    if (!result.ok) return setFailure(result);
    discardDraft(draft);
    setReceipt(result.value.receipt);
  });
  const canceling = useCanceling({
    form,
    isBusy,
    isSending: isBusy,
    canEnd: () => explanation.trim() === '',
    end() {
      discardDraft(draft);
      onEnd();
    },
  });
  if (receipt) return <Sent receipt={receipt} onEnd={onEnd} />;

  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      onSubmit={onSubmit}
      onKeyDown={canceling.onKeyDown}
    >
      <fieldset className={styles.reasons}>
        <legend>{reportTexts.question[subject.kind]}</legend>
        {categories.map((category) => (
          <CheckField
            key={category}
            type="radio"
            name="reason"
            label={categoryTexts[category]}
            hint={reasonHints[category]}
            checked={reason === category}
            onChange={() => setReason(category)}
            required
          />
        ))}
      </fieldset>
      <TextAreaField
        label={isIllegal ? reportTexts.whyIllegal : reportTexts.explanation}
        hint={isIllegal ? undefined : reportTexts.explanationHint}
        rows={3}
        value={explanation}
        onChange={({ target }) => change(target.value)}
        maxLength={limits.reasonChars}
        required={mustIdentify}
      />
      {mustIdentify && (
        <>
          <p className={styles.note}>{reportTexts.whoAsks}</p>
          <TextField
            label={reportTexts.name}
            name="name"
            autoComplete="name"
            maxLength={limits.userNameChars}
            required
          />
          <TextField
            label={reportTexts.email}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={limits.emailChars}
            required
          />
          <CheckField
            label={reportTexts.goodFaith}
            hint={reportTexts.goodFaithHint}
            name="goodFaith"
            required
          />
        </>
      )}
      {failure && <Alert isScrolledTo>{`${reportTexts.notSent} ${refusalText(failure)}`}</Alert>}
      <EditButtons label={reportTexts.send} question={reportTexts.discard} {...canceling.buttons} />
    </form>
  );
}

function Sent({ receipt, onEnd }: { receipt: string; onEnd: () => void }) {
  const note = useRef<HTMLDivElement>(null);
  const href = `${pageRoutes.log}#${receiptPrefix}${receipt}`;
  useEffect(() => note.current?.focus(), []);
  return (
    <div ref={note} className={styles.form} tabIndex={-1}>
      <p>
        <strong>{reportTexts.thanks}</strong> {reportTexts.keepLink}{' '}
        <Link href={href}>{reportTexts.outcomeLink}</Link>
      </p>
      <p className={styles.buttons}>
        <button type="button" className={buttons.quiet} onClick={() => copyLink(href)}>
          {texts.copyLink}
        </button>
        <button type="button" className={buttons.quiet} onClick={onEnd}>
          {reportTexts.close}
        </button>
      </p>
    </div>
  );
}
