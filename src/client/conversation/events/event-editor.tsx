import { useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { timeText } from '../../../shared/event-texts.ts';
import type { CommentEvent, EventDate, EventEdit } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useStore } from '../../state/store-provider.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { fetchComment } from '../fetch-comment.ts';
import { changeEvent } from './event-calls.ts';
import styles from './event-editor.module.css';

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

/** Changes the dates of a comment that are to come, cancels them or takes that back. */
export function EventEditor({ comment, event, onEnd }: EventEditorProps) {
  const { dispatch } = useStore();
  const [base] = useState(event);
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
    async send(text) {
      const { channelId, number } = comment;
      const capacity = text('capacity');
      const typed = {
        title: text('title'),
        location: text('location'),
        capacity: capacity === '' ? null : Number(capacity),
      };
      // Without what was not changed here, which somebody else may have changed meanwhile.
      const edit: EventEdit = {
        ...(typed.title !== base.title && { title: typed.title }),
        ...(typed.location !== base.location && { location: typed.location }),
        ...(typed.capacity !== base.capacity && { capacity: typed.capacity }),
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
    isTyped: (element) => {
      const content = new FormData(element);
      const typed = ['title', 'location', 'capacity'].map((name) =>
        String(content.get(name) ?? ''),
      );
      const before = [base.title, base.location, String(base.capacity ?? '')];
      return changedDates.length > 0 || typed.join('\n') !== before.join('\n');
    },
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
      <TextField
        label="Qué es"
        name="title"
        required
        dir="auto"
        autoComplete="off"
        maxLength={limits.eventTitleChars}
        defaultValue={base.title}
      />
      <TextField
        label="Lugar (opcional)"
        name="location"
        dir="auto"
        autoComplete="off"
        maxLength={limits.eventLocationChars}
        defaultValue={base.location}
      />
      <TextField
        label="Cuántas personas caben (opcional)"
        name="capacity"
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.eventCapacity}
        defaultValue={base.capacity ?? ''}
      />
      <ul className="stack">
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
                <label className={styles.check}>
                  <input
                    type="checkbox"
                    checked={cancelled}
                    onChange={({ currentTarget }) =>
                      change(position, { cancelled: currentTarget.checked })
                    }
                  />
                  Cancelada
                </label>
              </fieldset>
            </li>
          );
        })}
      </ul>
      <FormEnd form={form} />
    </form>
  );
}
