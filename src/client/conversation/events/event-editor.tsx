import { useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentEvent, EventEdit } from '../../../shared/events.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { otherZoneText } from '../../dom/device-zone.ts';
import { useStore } from '../../state/store-provider.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { typedCapacity } from '../composer/event-draft.ts';
import { fetchComment } from '../fetch-comment.ts';
import { CancelAll, DateFields, type DateTexts, isChanged, textsOfDate } from './date-fields.tsx';
import { changeEvent } from './event-calls.ts';
import styles from './event-editor.module.css';
import { EventTextField, type EventTexts } from './event-text-field.tsx';

interface EventEditorProps {
  comment: Comment;
  event: CommentEvent;
  onEnd: () => void;
}

/** Dates that an editor shows at once. More are folded. */
const shownDates = 3;

const textsOf = ({ title, location, capacity }: CommentEvent): EventTexts => ({
  title,
  location,
  capacity: String(capacity ?? ''),
});

/** Changes the dates of a comment that are to come, cancels them or takes that back. */
export function EventEditor({ comment, event, onEnd }: EventEditorProps) {
  const { dispatch } = useStore();
  const [base] = useState(event);
  const otherZone = base.allDay ? undefined : otherZoneText(base.zone);
  const [texts, setTexts] = useState(() => textsOf(base));
  const [revision, setRevision] = useState(event.revision);
  const [dates, setDates] = useState(() =>
    base.dates.filter(({ phase }) => phase === 'coming').map(textsOfDate),
  );
  const change = (position: number, part: Partial<DateTexts>) =>
    setDates((all) => all.map((one) => (one.position === position ? { ...one, ...part } : one)));
  const changedDates = dates.filter((date) => {
    const before = base.dates[date.position];
    return before && isChanged(before, date);
  });
  const form = useForm({
    first: 'input',
    async send() {
      const { channelId, number } = comment;
      const before = textsOf(base);
      // Without what was not changed here, which somebody else may have changed meanwhile.
      const edit: EventEdit = {
        ...(texts.title !== before.title && { title: texts.title }),
        ...(texts.location !== before.location && { location: texts.location }),
        ...(texts.capacity !== before.capacity && { capacity: typedCapacity(texts) }),
        // Nor the hours of a cancelled date, which are not shown.
        dates: changedDates.map(({ start, end, ...date }) => ({
          ...date,
          ...(!date.cancelled && { start, end: end || null }),
        })),
      };
      const saved = await orFailure(request(changeEvent, { channelId, number, revision, edit }));
      if (saved instanceof Failure) {
        if (saved.status === 412) await showCurrent();
        throw saved;
      }
      dispatch({ type: 'COMMENT_CHANGED', comment: saved });
      showStatus({ text: 'Cambios guardados. En unos minutos se avisa a quienes van.' });
      onEnd();
    },
    isTyped: () =>
      changedDates.length > 0 || JSON.stringify(texts) !== JSON.stringify(textsOf(base)),
    onCancel: onEnd,
  });
  /** Shows in the card what the dates are now. The next attempt is based on that. */
  const showCurrent = async () => {
    const now = await fetchComment(comment);
    if (!now?.event) return;
    dispatch({ type: 'COMMENT_CHANGED', comment: now });
    setRevision(now.event.revision);
  };
  return (
    <form {...form.props} className={`stack ${styles.editor}`} aria-label="Cambiar las fechas">
      {(['title', 'location', 'capacity'] as const).map((name) => (
        <EventTextField
          key={name}
          name={name}
          texts={texts}
          onChange={(part) => setTexts({ ...texts, ...part })}
        />
      ))}
      {base.dates.length > 1 && (
        <p className="note">
          {`El título y el lugar son los de las ${base.dates.length} fechas. Si un día cambia de lugar, cancélalo y escribe otra fecha.`}
        </p>
      )}
      {dates.length > shownDates && <CancelAll dates={dates} onChange={setDates} />}
      {otherZone && <p className="note">{otherZone}</p>}
      <ul className={styles.dates}>
        {dates.map((date) => {
          const { position } = date;
          const before = base.dates[position];
          return (
            before && (
              <li key={position}>
                <DateFields
                  before={before}
                  date={date}
                  isFolded={dates.length > shownDates}
                  onChange={(part) => change(position, part)}
                />
              </li>
            )
          );
        })}
      </ul>
      <FormEnd form={form} />
    </form>
  );
}
