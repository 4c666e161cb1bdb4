import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { Category, SubjectKind } from '../../../shared/moderation.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { copyLink } from '../../ui/status/copy-link.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { categories, categoryTexts, receiptPrefix } from '../decisions/log-texts.ts';
import type { SubjectPanelProps } from '../subject-actions.ts';
import { report, reportAsGuest } from './report-calls.ts';

const reasonHints: Record<Category, string> = {
  spam: 'Anuncios, estafas o enlaces repetidos.',
  abuse: 'Va contra alguien, o no deja conversar en paz.',
  personal_data: 'Teléfonos, direcciones u otros datos de alguien.',
  illegal: 'Algo que la ley no permite publicar.',
  other: 'Cuéntanos qué pasa.',
};

const question = {
  comment: '¿Qué pasa con este comentario?',
  channel: '¿Qué pasa con este canal?',
  user: '¿Qué pasa con esta persona?',
} satisfies Record<SubjectKind, string>;

/** Form to report a subject. The status bar then shows a link to the outcome. */
function ReportFields({ subject, onEnd }: Omit<SubjectPanelProps, 'task'>) {
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
        text: 'Gracias. El equipo de moderación lo va a mirar. Guarda este enlace si quieres saber qué se decide:',
        links: [{ href, label: 'Ver en qué queda mi denuncia' }],
        action: { label: accountTexts.copyLink, run: () => copyLink(href) },
      });
    },
    failedText: ({ text }) => `No se pudo enviar la denuncia. ${text}`,
    onSent: onEnd,
    onCancel: onEnd,
  });

  return (
    <form {...form.props} className="box">
      <fieldset>
        <legend>{question[subject.kind]}</legend>
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
        label={isIllegal ? 'Explica por qué es ilegal' : 'Explicación'}
        hint={isIllegal ? undefined : 'Opcional. Solo lo lee el equipo de moderación.'}
        rows={3}
        maxLength={limits.reasonChars}
        required={mustIdentify}
        {...form.field('text')}
      />
      {!isLogged && (
        // Hidden, not removed, so that typed text is kept while another reason is selected.
        <fieldset className="stack" hidden={!isIllegal} disabled={!isIllegal}>
          <p className="note">
            Para una denuncia de contenido ilegal, la ley pide saber de quién viene.
          </p>
          <TextField
            label="Tu nombre"
            {...form.field('name')}
            autoComplete="name"
            maxLength={limits.userNameChars}
            required
          />
          <TextField
            label="Tu correo electrónico"
            {...form.field('email')}
            type="email"
            autoComplete="email"
            maxLength={limits.emailChars}
            required
          />
          <CheckField
            label="Lo digo de buena fe"
            hint="Lo que cuento es exacto y completo, hasta donde sé."
            name="goodFaith"
            required
          />
        </fieldset>
      )}
      <FormEnd form={form} label="Enviar" question={accountTexts.discardText} />
    </form>
  );
}

export const ReportForm = withQueries(ReportFields);
