import { useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { timeText } from '../../../shared/event-texts.ts';
import type { CommentEvent, EventDate, EventEdit } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useStore } from '../../state/store-provider.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { typedCapacity } from '../composer/event-draft.ts';
import { fetchComment } from '../fetch-comment.ts';
import { changeEvent } from './event-calls.ts';
import styles from './event-editor.module.css';
import { EventTextField, type EventTexts } from './event-text-field.tsx';

interface EventEditorProps {
  comment: Comment;
  event: CommentEvent;
  onEnd: () => void;
}

type DateFields = Pick<EventDate, 'position' | 'start' | 'cancelled' | 'reason'> & { end: string };

const fieldsOf = ({ position, start, end, cancelled, reason }: EventDate): DateFields => ({
  position,
  start,
  end: end ?? '',
  cancelled,
  reason,
});

const textsOf = ({ title, location, capacity }: CommentEvent): EventTexts => ({
  title,
  location,
  capacity: String(capacity ?? ''),
});

/** Changes the dates of a comment that are to come, cancels them or takes that back. */
export function EventEditor({ comment, event, onEnd }: EventEditorProps) {
  const { dispatch } = useStore();
  const [base] = useState(event);
  const [texts, setTexts] = useState(() => textsOf(base));
  const [revision, setRevision] = useState(event.revision);
  const [dates, setDates] = useState(() =>
    base.dates.filter(({ phase }) => phase === 'coming').map(fieldsOf),
  );
  const change = (position: number, part: Partial<DateFields>) =>
    setDates((all) => all.map((one) => (one.position === position ? { ...one, ...part } : one)));
  const changedDates = dates.filter((date) => {
    const before = base.dates[date.position];
    return before && JSON.stringify(fieldsOf(before)) !== JSON.stringify(date);
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
        dates: changedDates.map(({ end, ...date }) => ({ ...date, end: end || null })),
      };
      const saved = await orFailure(request(changeEvent, { channelId, number, revision, edit }));
      if (saved instanceof Failure) {
        if (saved.status === 412) await showCurrent();
        throw saved;
      }
      dispatch({ type: 'COMMENT_CHANGED', comment: saved });
      showStatus({ text: 'Cambios guardados. Dentro de dos minutos se avisa a quienes van.' });
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
  const type = base.allDay ? 'date' : 'datetime-local';
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
      <ul className={styles.dates}>
        {dates.map(({ position, start, end, cancelled, reason }) => {
          const before = base.dates[position];
          return (
            <li key={position}>
              <fieldset className={`stack tight ${styles.date}`}>
                <legend>{before && timeText(before)}</legend>
                {cancelled ? (
                  <TextField
                    label="Por qué se cancela (opcional)"
                    dir="auto"
                    autoComplete="off"
                    maxLength={limits.eventReasonChars}
                    value={reason}
                    onChange={({ currentTarget }) =>
                      change(position, { reason: currentTarget.value })
                    }
                  />
                ) : (
                  <div className="row">
                    <TextField
                      label="Empieza"
                      type={type}
                      required
                      value={start}
                      onChange={({ currentTarget }) =>
                        change(position, { start: currentTarget.value.slice(0, 16) })
                      }
                    />
                    <TextField
                      label="Termina (opcional)"
                      type={type}
                      value={end}
                      onChange={({ currentTarget }) =>
                        change(position, { end: currentTarget.value.slice(0, 16) })
                      }
                    />
                  </div>
                )}
                <CheckField
                  label="Cancelada"
                  checked={cancelled}
                  onChange={({ currentTarget }) =>
                    change(position, { cancelled: currentTarget.checked })
                  }
                />
              </fieldset>
            </li>
          );
        })}
      </ul>
      <FormEnd form={form} />
    </form>
  );
}
