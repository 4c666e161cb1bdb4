import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentEvent, EventDate, Rsvp } from '../../../shared/events.ts';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { composerDraft } from '../composer/composer-draft.ts';
import { eventDraftAfter } from '../composer/event-draft.ts';
import { addEvent } from '../composer/event-part.ts';
import { Answers } from './answers.tsx';
import styles from './event-tools.module.css';
import { Opened } from './opened.tsx';

const Attendees = lazyPart(async () => (await import('./attendees.tsx')).Attendees);
const EventEditor = lazyPart(async () => (await import('./event-editor.tsx')).EventEditor);

export interface EventToolsProps {
  comment: Comment;
  event: CommentEvent;
  /** The date that they belong to; `all` for the tools below all of them. */
  date: EventDate | 'all';
  rsvps: readonly Rsvp[];
}

/** Renders the answers, the list of people and the editor, for one date or for all dates of a comment. */
export function EventTools({ comment, event, date, rsvps }: EventToolsProps) {
  if (date === 'all') return <ToolsOfAll comment={comment} event={event} rsvps={rsvps} />;
  const isOpen = date.phase === 'coming' && !date.cancelled;
  const hasAnswers = date.yes + date.waiting + date.maybe + date.no > 0;
  return (
    <>
      {isOpen && (
        <Answers
          comment={comment}
          title={event.title}
          date={date}
          capacity={event.capacity}
          rsvp={rsvps.find(({ position }) => position === date.position)}
        />
      )}
      {hasAnswers && !date.cancelled && (
        <Opened label="Ver quiénes">
          <Attendees comment={comment} date={date} />
        </Opened>
      )}
    </>
  );
}

function ToolsOfAll({ comment, event, rsvps }: Omit<EventToolsProps, 'date'>) {
  const { id } = useUser();
  const isStaff = useAppState(({ role }) => role !== 'member');
  const isClosed = useAppState(({ channels }) => !!channels.get(comment.channelId)?.closedAt);
  const [isEditing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const endEditing = () => {
    flushSync(() => setEditing(false));
    opener.current?.focus();
  };
  const coming = event.dates.filter(({ phase, cancelled }) => phase === 'coming' && !cancelled);
  const isTheirs = comment.autorId === id || isStaff;
  const canChange = isTheirs && event.dates.some(({ phase }) => phase === 'coming');
  return (
    <>
      {coming.length > 1 && (
        <Answers
          comment={comment}
          title={event.title}
          date={coming}
          capacity={event.capacity}
          rsvp={commonOf(coming, rsvps)}
        />
      )}
      {canChange && !isEditing && (
        <button
          ref={opener}
          type="button"
          className={`bare target ${styles.open}`}
          onClick={() => setEditing(true)}
        >
          Cambiar o cancelar
        </button>
      )}
      {isTheirs && !isClosed && (
        <button
          type="button"
          className={`bare target ${styles.open}`}
          onClick={() =>
            void addEvent(composerDraft(id, comment.channelId), eventDraftAfter(event))
          }
        >
          Repetir
        </button>
      )}
      {isEditing && (
        <div className={styles.whole}>
          <EventEditor comment={comment} event={event} onEnd={endEditing} />
        </div>
      )}
    </>
  );
}

/** The answer that an account gave to all of these dates; undefined if it gave different ones. */
function commonOf(dates: EventDate[], rsvps: readonly Rsvp[]): Rsvp | undefined {
  const given = dates.map((date) => rsvps.find(({ position }) => position === date.position));
  const [first] = given;
  const isCommon = given.every(
    (one) => one?.answer === first?.answer && one?.people === first?.people,
  );
  return first && isCommon
    ? { ...first, isWaiting: given.some((one) => one?.isWaiting) }
    : undefined;
}
