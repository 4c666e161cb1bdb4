import { useEffect, useEffectEvent, useState } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Person } from '../../../shared/people.ts';
import { defineUserCall } from '../../api/call.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { DecisionForm } from '../../moderation/decisions/decision-form.tsx';
import { getDecision } from '../../moderation/decisions/staff-calls.ts';
import { SubjectPanel, useSubjectPanel } from '../../moderation/subject-panel.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import { PersonTools } from './person-tools.tsx';
import { usePersonAgain } from './use-person-again.ts';

const getPersonForStaff = defineUserCall<string, Person>('GET', apiRoutes.user);

/**
 * Replaces the page of a person who is hidden by a decision or not shown yet, for moderators only. Once the person
 * is visible again, the page returns.
 */
function HiddenPersonPage({ id }: { id: string }) {
  const showPerson = usePersonAgain();
  const { id: userId } = useUser();
  const [isUndoing, setUndoing] = useState(false);
  const { data: person } = useUserQuery(getPersonForStaff, id, { isBackground: true });
  const { open, panel } = useSubjectPanel({
    userId,
    subject: { kind: 'user', id },
    name: person?.name ?? '',
    focus: focusTitle,
    onDecided: () => showPerson(id),
    onUndone: () => showPerson(id),
  });
  const decisionId = person?.hiddenBy ?? '';
  const hiding = useUserQuery(getDecision, decisionId, { enabled: isUndoing && decisionId !== '' });
  const isVisible = person && !person.hiddenBy && !person.isUnseen;
  const onVisible = useEffectEvent(() => {
    // With a query string, the page may be missing because of an invalid cursor, so it stays.
    if (location.search === '') showPerson(id);
  });
  useEffect(() => {
    if (isVisible) onVisible();
  }, [isVisible]);
  if (!person || isVisible) return null;
  const end = () => {
    setUndoing(false);
    focusTitle();
  };
  const onShown = () => {
    setUndoing(false);
    showPerson(id);
  };
  return (
    <section>
      <p>
        <span>{decisionId ? 'Todo lo de' : 'Nadie ha aprobado nada de'}</span>{' '}
        <bdi>{person.name}</bdi>{' '}
        <span>{`${decisionId ? 'está oculto' : 'todavía'}. Esto solo lo ve quien modera.`}</span>
      </p>
      <div className="row">
        {decisionId && (
          <button type="button" className={buttons.quiet} onClick={() => setUndoing(true)}>
            Deshacer
          </button>
        )}
        <PersonTools person={person} onTask={open} />
      </div>
      {isUndoing && (
        <Loaded query={hiding}>
          {(decision) => (
            <DecisionForm
              task={{ action: 'undo', decision }}
              name={person.name}
              onDone={onShown}
              onCancel={end}
            />
          )}
        </Loaded>
      )}
      <SubjectPanel {...panel} />
    </section>
  );
}

export const HiddenPerson = withQueries(HiddenPersonPage);
