import { type ReactNode, useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentEvent, EventDate, Rsvp } from '../../../shared/events.ts';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { readDraft } from '../../storage/drafts.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { type ComposerDraft, composerDraft, whyNotAppended } from '../composer/composer-draft.ts';
import { eventDraftAfter } from '../composer/event-draft.ts';
import { addEvent } from '../composer/event-part.ts';
import { focusComposer } from '../composer/focus-composer.ts';
import { Answers } from './answers.tsx';
import styles from './event-tools.module.css';

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
          rsvp={commonOf(coming, rsvps)}
        />
      )}
      {canChange && !isEditing && (
        <button
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
          onClick={() => repeat(composerDraft(id, comment.channelId), event)}
        >
          Repetir
        </button>
      )}
      {isEditing && (
        <div className={styles.whole}>
          <EventEditor comment={comment} event={event} onEnd={() => setEditing(false)} />
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

/** Adds one more date like these to what is being written in the channel, unless it has dates already. */
function repeat(draft: ComposerDraft, event: CommentEvent): void {
  const typed = readDraft(draft);
  const refusal = whyNotAppended(typed) ?? (typed.event && hasEvent);
  if (!refusal) return void addEvent(draft, eventDraftAfter(event));
  showStatus({ text: refusal });
  focusComposer(draft);
}

const hasEvent = 'Lo que estás escribiendo ya tiene una fecha: envíalo o quítala antes.';

/** A part that is loaded once it is opened. */
function Opened({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.whole}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles.open}>{label}</summary>
      {isOpen && children}
    </details>
  );
}
