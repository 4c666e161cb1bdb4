import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { decisionAnchor, decisionText } from '../../shared/decision-texts.ts';
import { limits } from '../../shared/limits.ts';
import type { OwnDecision as Decision } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Failure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import { withQueries } from '../api/with-queries.tsx';
import { fullTime } from '../dom/time-words.ts';
import { categoryTexts } from '../moderation/decisions/log-texts.ts';
import { Link } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { TextAreaField } from '../ui/forms/field.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { focusTitle } from '../ui/page-title.tsx';
import buttons from '../ui/styles/button.module.css';
import { Time } from '../ui/time/time.tsx';
import styles from './own-decision.module.css';
import { appeal, listOwnDecisions } from './own-decision-calls.ts';

const appealStates = {
  open: 'Has pedido que se revise: aún no hay respuesta.',
  upheld: 'Se ha revisado: la decisión se mantiene.',
  granted: 'Se ha revisado: la decisión se ha anulado.',
} as const;

const appealText = 'Pedir que se revise';

const appealable = ['hide', 'silence', 'suspend', 'hideAll'];

/** A decision about the account: action, reason and end, with the appeal or a button to appeal. */
function OwnDecisionBox({ decision }: { decision: Decision }) {
  const { at, action, category, reason, subject, excerpt, until, isInForce } = decision;
  const own = decision.appeal;
  const [isAppealing, setAppealing] = useState(false);
  const block = useRef<HTMLDivElement>(null);
  const isAppealable = appealable.includes(action);
  const canAppeal = isInForce && !own && isAppealable;
  const isRestriction = action === 'silence' || action === 'suspend';
  const end = () => {
    setAppealing(false);
    if (block.current) block.current.focus();
    else focusTitle();
  };
  return (
    <div ref={block} className={`stack ${styles.decision}`} tabIndex={-1}>
      <p>
        <strong>{decisionText(action, subject.kind)}</strong>
      </p>
      <p className="note">
        {isAppealable && <span>{`${categoryTexts[category]}, `}</span>}
        <Time iso={at} />
      </p>
      {excerpt && (
        <p className="quoted note" dir="auto">
          {excerpt}
        </p>
      )}
      {reason && (
        <p className={styles.reason} dir="auto">
          {`Motivo: ${reason}`}
        </p>
      )}
      {isAppealable && (
        <p className="note">
          Se decide según las <Link href={pageRoutes.rules}>normas</Link>.
        </p>
      )}
      {isInForce && isRestriction && (
        <p>{until ? `Hasta el ${fullTime(until)}.` : 'Sin fecha de fin.'}</p>
      )}
      {!isInForce && isAppealable && <p>Ya no está en vigor.</p>}
      {own && (
        <>
          <p
            // A granted appeal is a decision of its own in the list.
            id={own.answerId && own.state === 'upheld' ? decisionAnchor(own.answerId) : undefined}
            tabIndex={-1}
          >
            <strong>{appealStates[own.state]}</strong>
            {own.reason && <span>{` ${own.reason}`}</span>}
          </p>
          <p className="note" dir="auto">
            {`Lo que escribiste: ${own.text}`}
          </p>
        </>
      )}
      {canAppeal && isAppealing && <AppealForm id={decision.id} onEnd={end} />}
      {canAppeal && !isAppealing && (
        <button
          type="button"
          className={buttons.quiet}
          aria-label={`${appealText}: ${decisionText(action, subject.kind)}`}
          onClick={() => setAppealing(true)}
        >
          {appealText}
        </button>
      )}
    </div>
  );
}

export const OwnDecision = withQueries(OwnDecisionBox);

function AppealForm({ id, onEnd }: { id: string; onEnd: () => void }) {
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const readAgain = () =>
    queryClient.invalidateQueries({ queryKey: callKey(userId, listOwnDecisions) });
  const form = useForm({
    first: 'textarea',
    async send(text) {
      try {
        await request(appeal, { id, text: text('text').trim() });
      } catch (error) {
        // It was appealed in another tab or is no longer in force; the reloaded decision says which.
        if (error instanceof Failure && error.status === 409) await readAgain();
        throw error;
      }
      await readAgain();
      onEnd();
    },
    failedText: ({ text }) => `No se pudo enviar. ${text}`,
    onCancel: onEnd,
  });
  return (
    <form {...form.props} className="box" aria-label="Pedir que se revise esta decisión">
      <TextAreaField
        {...form.field('text')}
        label="Por qué crees que es un error"
        hint="Se puede pedir una vez. Lo decide otra persona del equipo, si la hay."
        rows={4}
        maxLength={limits.reasonChars}
        required
      />
      <FormEnd form={form} label={appealText} question={accountTexts.discardText} />
    </form>
  );
}
