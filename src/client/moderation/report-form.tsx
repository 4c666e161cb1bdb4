import { useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { type Category, categories } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { type Failure, fieldError, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { CheckField } from '../components/check-field.tsx';
import { copyLink } from '../components/copy-link.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { fieldText } from '../components/use-submit.ts';
import { useTextForm } from '../components/use-text-form.ts';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { report, reportAsGuest } from './calls.ts';
import { categoryTexts, receiptPrefix } from './log-texts.ts';
import styles from './report-form.module.css';
import { reasonHints, reportTexts } from './report-texts.ts';
import type { SubjectPanelProps } from './subject-actions.ts';

/** Reports a subject. Afterwards the status bar has the link to the outcome. */
export function ReportForm({ subject, onEnd }: Omit<SubjectPanelProps, 'task'>) {
  const { isLogged } = useUser();
  const [reason, setReason] = useState<Category | null>(null);
  const isIllegal = reason === 'illegal';
  const mustIdentify = isIllegal && !isLogged;

  const failedText = (failed: Failure) => `${reportTexts.notSent} ${refusalText(failed)}`;
  const { failure, form, field, ...canceling } = useTextForm({
    about: `report ${subject.kind} ${subject.id}`,
    first: 'input',
    failedText,
    send: (text, submitted) =>
      request(isLogged ? report : reportAsGuest, {
        ...subject,
        reason: fieldText(submitted, 'reason') as Category,
        ...(text && { text }),
        ...(mustIdentify && {
          name: fieldText(submitted, 'name'),
          email: fieldText(submitted, 'email'),
          goodFaith: fieldText(submitted, 'goodFaith') !== '',
        }),
      }),
    onSent({ receipt }) {
      onEnd();
      const href = `${pageRoutes.log}#${receiptPrefix}${receipt}`;
      showStatus({
        text: reportTexts.thanks,
        links: [{ href, label: reportTexts.outcomeLink }],
        action: { label: texts.copyLink, run: () => copyLink(href) },
      });
    },
    onCancel: onEnd,
  });
  const isMarked = ['text', 'name', 'email'].some((name) => fieldError(failure, name));

  return (
    <form {...form} className="box">
      <fieldset>
        <legend>{reportTexts.question[subject.kind]}</legend>
        {categories.map((category) => (
          <CheckField
            key={category}
            type="radio"
            name="reason"
            value={category}
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
        maxLength={limits.reasonChars}
        required={mustIdentify}
        error={fieldError(failure, 'text')}
        {...field}
      />
      {!isLogged && (
        // Hidden rather than removed, so that what is typed stays while another reason is chosen.
        <fieldset className={styles.identity} hidden={!isIllegal} disabled={!isIllegal}>
          <p className="note">{reportTexts.whoAsks}</p>
          <TextField
            label={reportTexts.name}
            error={fieldError(failure, 'name')}
            name="name"
            autoComplete="name"
            maxLength={limits.userNameChars}
            required
          />
          <TextField
            label={reportTexts.email}
            error={fieldError(failure, 'email')}
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
        </fieldset>
      )}
      {failure && !isMarked && <Alert isScrolledTo>{failedText(failure)}</Alert>}
      <EditButtons label={reportTexts.send} {...canceling.buttons} />
    </form>
  );
}
