import { useState } from 'react';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Person } from '../../shared/people.ts';
import { defineUserCall } from '../api/call.ts';
import { failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import { lazyPart } from '../components/lazy-part.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubjectPanel, type SubjectTask } from '../components/subject-panel.tsx';
import { PersonTools } from '../people/person-tools.tsx';
import { useStore } from '../state/store-provider.tsx';
import styles from './hidden-person.module.css';
import { undoDecision } from './moderation-calls.ts';
import { staffTexts } from './staff-texts.ts';

const NewsPolling = lazyPart(
  async () => (await import('../account/account-effects.ts')).NewsPolling,
  { isForAccount: true, isQuiet: true },
);

/** Tells moderators, at the address of a person whom a wave hides, who it is. Shows others nothing. */
export function HiddenPerson({ id }: { id: string }) {
  const { dispatch } = useStore();
  const [task, setTask] = useState<SubjectTask | null>(null);
  const call = defineUserCall<void, Person>('GET', apiRoutes.user(id), { has: 'id' });
  const { data: person } = useUserQuery(call, { isBackground: true });
  const decisionId = person?.hiddenBy;
  if (!person || !decisionId) return null;
  const show = async () => {
    const result = await request(undoDecision, decisionId);
    if (!result.ok) showStatus({ text: `${staffTexts.notUndone} ${failureText(result)}` });
    // The page of the person is there again.
    else dispatch({ type: 'ADDRESS_MISSING', address: '' });
  };
  return (
    <section>
      <NewsPolling channelIds="" />
      <p>{staffTexts.hiddenPerson(person.name)}</p>
      <div className={styles.tools}>
        <button type="button" className={buttons.quiet} onClick={show}>
          {staffTexts.undo}
        </button>
        <PersonTools person={person} onTask={setTask} />
      </div>
      {task && (
        <SubjectPanel task={task} subject={{ kind: 'user', id }} onEnd={() => setTask(null)} />
      )}
    </section>
  );
}
