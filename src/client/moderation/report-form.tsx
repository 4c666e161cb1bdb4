import { useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { type Category, categories } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { CheckField } from '../components/check-field.tsx';
import { copyLink } from '../components/copy-link.ts';
import { TextAreaField, TextField } from '../components/field.tsx';
import { FormEnd } from '../components/form-end.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useForm } from '../components/use-form.ts';
import { useUser } from '../state/store-provider.tsx';
import { subjectTexts } from '../subject-texts.ts';
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

  const form = useForm({
    fields: ['text', 'name', 'email'],
    first: 'input',
    async send(text) {
      const explanation = text('text').trim();
      const { receipt } = await request(isLogged ? report : reportAsGuest, {
        ...subject,
        reason: text('reason') as Category,
        ...(explanation && { text: explanation }),
        ...(mustIdentify && {
          name: text('name'),
          email: text('email'),
          goodFaith: text('goodFaith') !== '',
        }),
      });
      const href = `${pageRoutes.log}#${receiptPrefix}${receipt}`;
      showStatus({
        text: reportTexts.thanks,
        links: [{ href, label: reportTexts.outcomeLink }],
        action: { label: texts.copyLink, run: () => copyLink(href) },
      });
    },
    failedText: ({ text }) => `${reportTexts.notSent} ${text}`,
    onSent: onEnd,
    onCancel: onEnd,
  });

  return (
    <form {...form.props} className="box">
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
        {...form.field('text')}
      />
      {!isLogged && (
        // Hidden rather than removed, so that what is typed stays while another reason is chosen.
        <fieldset className={styles.identity} hidden={!isIllegal} disabled={!isIllegal}>
          <p className="note">{reportTexts.whoAsks}</p>
          <TextField
            label={reportTexts.name}
            {...form.field('name')}
            autoComplete="name"
            maxLength={limits.userNameChars}
            required
          />
          <TextField
            label={reportTexts.email}
            {...form.field('email')}
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
      <FormEnd form={form} label={reportTexts.send} question={subjectTexts.discard} />
    </form>
  );
}
