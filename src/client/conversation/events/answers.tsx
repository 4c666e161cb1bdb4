import { useState } from 'react';
import type { CommentKey } from '../../../shared/comment-id.ts';
import { timeText } from '../../../shared/event-texts.ts';
import type { EventDate, NewRsvp, Rsvp, RsvpAnswer, RsvpResult } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { request } from '../../api/request.ts';
import { queryClientOf } from '../../api/with-queries.tsx';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import styles from './answers.module.css';
import { answerEvent } from './event-calls.ts';
import { setRsvps } from './set-rsvps.ts';

const texts: Record<RsvpAnswer, string> = { yes: 'Voy', maybe: 'Quizá', no: 'No voy' };
const answers = Object.keys(texts) as RsvpAnswer[];

interface AnswersProps {
  comment: CommentKey;
  /** The title of the dates. */
  title: string;
  /** The date that is answered, or all that are to come. */
  date: EventDate | EventDate[];
  capacity: number | null;
  /** The user's answer to the date; to all of them, if it is the same. */
  rsvp: Rsvp | undefined;
}

/** The three answers to a date, of which another press on the chosen one takes it back; with `Voy`, how many come. */
export function Answers({ comment, title, date, capacity, rsvp }: AnswersProps) {
  const store = useStore();
  const { id: userId } = useUser();
  const position: NewRsvp['date'] = Array.isArray(date) ? 'all' : date.position;
  const about = Array.isArray(date)
    ? `todas las fechas de ${title}`
    : `${title}, ${timeText(date)}`;
  const { isPending, run } = useAction<Omit<NewRsvp, 'date'>, boolean>((answer) =>
    withStatus('No se pudo guardar tu respuesta.', async () => {
      const { channelId, number } = comment;
      const sent = { channelId, number, rsvp: { date: position, ...answer } };
      const result: RsvpResult = await request(answerEvent, sent);
      setRsvps(store, queryClientOf(store), userId, comment, result);
      if (Array.isArray(date)) showStatus({ text: doneText(answer.answer, date.length) });
    }),
  );
  // An answer to all dates may wait at some of them, which their own answers say.
  const isWaiting = !Array.isArray(date) && rsvp?.isWaiting;
  const press = (answer: RsvpAnswer) => {
    const isTakenBack = rsvp?.answer === answer;
    return isPending || void run({ answer: isTakenBack ? null : answer });
  };
  return (
    <fieldset className={`row tight ${styles.answers}`}>
      <legend className="visually-hidden">{`Tu respuesta: ${about}`}</legend>
      {Array.isArray(date) && <span className={`note ${styles.all}`}>A todas las fechas:</span>}
      {answers.map((answer) => (
        <button
          key={answer}
          type="button"
          className={styles.answer}
          aria-pressed={rsvp?.answer === answer}
          data-waiting={isWaiting || undefined}
          aria-disabled={isPending || undefined}
          onClick={() => press(answer)}
        >
          {isWaiting && answer === 'yes' ? 'En espera' : texts[answer]}
        </button>
      ))}
      {rsvp?.answer === 'yes' && (
        <People
          people={rsvp.people}
          most={Math.max(rsvp.people, capacity ?? limits.rsvpPeople)}
          onChange={(people) => run({ answer: 'yes', people })}
        />
      )}
      {rsvp?.isWaiting && <p className="note">No quedan sitios: te avisaremos si se libera uno.</p>}
    </fieldset>
  );
}

/** The message after one answer was given to all dates, or taken back from all. */
const doneText = (answer: RsvpAnswer | null, count: number) =>
  answer
    ? `Has respondido «${texts[answer]}» a las ${count} fechas.`
    : `Has quitado tu respuesta a las ${count} fechas.`;

const counts = Array.from({ length: limits.rsvpPeople }, (_, index) => index + 1);

interface PeopleProps {
  people: number;
  /** As many as may come with one answer. */
  most: number;
  onChange: (people: number) => Promise<unknown>;
}

/** How many come with the user. */
function People({ people, most, onChange }: PeopleProps) {
  // Until it is stored.
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <label className={`unprinted ${styles.people}`}>
      <span className="note">¿Cuántos?</span>
      <select
        value={chosen ?? people}
        onChange={async ({ currentTarget }) => {
          const next = Number(currentTarget.value);
          setChosen(next);
          await onChange(next);
          setChosen(null);
        }}
      >
        {counts.slice(0, most).map((count) => (
          <option key={count}>{count}</option>
        ))}
      </select>
    </label>
  );
}
