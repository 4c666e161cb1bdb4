import { useEffect, useEffectEvent, useState } from 'react';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Person } from '../../shared/people.ts';
import { defineUserCall } from '../api/call.ts';
import { useUserQuery } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import { NewsPolling } from '../components/news-polling.ts';
import { focusTitle } from '../components/page-title.tsx';
import { SubjectPanel, type SubjectTask } from '../components/subject-panel.tsx';
import { PersonTools } from '../people/person-tools.tsx';
import { usePersonAgain } from '../people/use-person-again.ts';
import { directions } from '../texts.ts';
import { undo } from './moderation-calls.ts';
import { staffTexts } from './moderation-texts.ts';

const getPerson = defineUserCall<string, Person>('GET', apiRoutes.user, { has: 'id' });

/**
 * Takes the place of the page of a person whom a wave hides or nobody has approved, for moderators only. A person who
 * is visible again gets the page back.
 */
export function HiddenPerson({ id }: { id: string }) {
  const showPerson = usePersonAgain();
  const [task, setTask] = useState<SubjectTask | null>(null);
  const { data: person } = useUserQuery(getPerson, id, { isBackground: true });
  const isVisible = person && !person.hiddenBy && !person.isUnseen;
  const onVisible = useEffectEvent(() => {
    // An address with a wrong cursor stays missing.
    if (location.search === '') showPerson(id);
  });
  useEffect(() => {
    if (isVisible) onVisible();
  }, [isVisible]);
  if (!person || isVisible) return null;
  const { hiddenBy: decisionId } = person;
  const name = person.name.replace(directions, '');
  const onShown = () => {
    showPerson(id);
    requestAnimationFrame(focusTitle);
  };
  return (
    <section>
      <NewsPolling channelIds="" />
      <p>{decisionId ? staffTexts.hiddenPerson(name) : staffTexts.unseenPerson(name)}</p>
      <div className="buttons">
        {decisionId && (
          <button type="button" className={buttons.quiet} onClick={() => undo(decisionId, onShown)}>
            {staffTexts.undo}
          </button>
        )}
        <PersonTools person={person} onTask={setTask} />
      </div>
      {task && (
        <SubjectPanel
          task={task}
          subject={{ kind: 'user', id }}
          onEnd={() => {
            setTask(null);
            focusTitle();
          }}
        />
      )}
    </section>
  );
}
