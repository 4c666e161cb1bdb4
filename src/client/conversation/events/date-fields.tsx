import { useRef, useState } from 'react';
import { timeText } from '../../../shared/event-texts.ts';
import type { EventDate } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import styles from './date-fields.module.css';

/** One date as the fields of the editor have it. */
export type DateTexts = Pick<EventDate, 'position' | 'start' | 'cancelled' | 'reason'> & {
  end: string;
};

export const textsOfDate = ({ position, start, end, cancelled, reason }: EventDate): DateTexts => ({
  position,
  start,
  end: end ?? '',
  cancelled,
  reason,
});

export const isChanged = (before: EventDate, date: DateTexts) =>
  JSON.stringify(textsOfDate(before)) !== JSON.stringify(date);

interface DateFieldsProps {
  /** The date as it was when the editor opened. */
  before: EventDate;
  date: DateTexts;
  /** Whether it is one of many, of which each opens by itself. */
  isFolded: boolean;
  onChange: (part: Partial<DateTexts>) => void;
}

/** Begin and end of one date or, if it is cancelled, the reason. */
export function DateFields({ before, date, isFolded, onChange }: DateFieldsProps) {
  const when = timeText(before);
  const type = before.start.includes('T') ? 'datetime-local' : 'date';
  const fields = <TimeOrReason type={type} date={date} onChange={onChange} />;
  if (!isFolded) {
    return (
      <fieldset className={`stack tight ${styles.date}`}>
        <legend>{when}</legend>
        {fields}
      </fieldset>
    );
  }
  return (
    <details
      className={styles.folded}
      // A browser does not say what is wrong with a field that it cannot show.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>
        <span className={date.cancelled ? styles.cancelled : undefined}>{when}</span>{' '}
        {date.cancelled && <strong>cancelada</strong>}
        {!date.cancelled && isChanged(before, date) && <strong>cambiada</strong>}
      </summary>
      <fieldset className={`stack tight ${styles.date}`} aria-label={when}>
        {fields}
      </fieldset>
    </details>
  );
}

interface TimeOrReasonProps extends Pick<DateFieldsProps, 'date' | 'onChange'> {
  type: 'date' | 'datetime-local';
}

/** The time after it is moved by as much as from one time to another. */
function movedBy(time: string, from: string, to: string): string {
  const msOf = (each: string) => Date.parse(each.includes('T') ? `${each}Z` : each);
  const ms = msOf(time) + msOf(to) - msOf(from);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString().slice(0, time.length);
}

function TimeOrReason({ type, date, onChange }: TimeOrReasonProps) {
  const { start, end, cancelled, reason } = date;
  /** The start before it was emptied: a browser empties the field while a part of it is typed. */
  const lastStart = useRef(start);
  const move = (to: string) => {
    onChange({ start: to, end: movedBy(end, lastStart.current, to) });
    if (to) lastStart.current = to;
  };
  return (
    <>
      {cancelled ? (
        <ReasonField
          label="Por qué se cancela (opcional)"
          reason={reason}
          onChange={(text) => onChange({ reason: text })}
        />
      ) : (
        <div className="row">
          <TextField
            label="Empieza"
            type={type}
            required
            value={start}
            onChange={({ currentTarget }) => move(currentTarget.value.slice(0, 16))}
          />
          <TextField
            label="Termina (opcional)"
            type={type}
            value={end}
            onChange={({ currentTarget }) => onChange({ end: currentTarget.value.slice(0, 16) })}
          />
        </div>
      )}
      <CheckField
        label="Cancelada"
        checked={cancelled}
        onChange={({ currentTarget }) => onChange({ cancelled: currentTarget.checked })}
      />
    </>
  );
}

interface ReasonFieldProps {
  label: string;
  reason: string;
  onChange: (reason: string) => void;
}

function ReasonField({ label, reason, onChange }: ReasonFieldProps) {
  return (
    <TextField
      label={label}
      dir="auto"
      autoComplete="off"
      maxLength={limits.eventReasonChars}
      value={reason}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface CancelAllProps {
  dates: DateTexts[];
  onChange: (dates: DateTexts[]) => void;
}

/** Cancels all dates of the editor, those without a reason of their own with a common one, and takes that back. */
export function CancelAll({ dates, onChange }: CancelAllProps) {
  /** The dates before they were cancelled here. */
  const [kept, setKept] = useState<DateTexts[] | null>(null);
  const [common, setCommon] = useState('');
  const areCancelled = dates.every(({ cancelled }) => cancelled);
  const cancel = () => {
    setKept(dates);
    setCommon('');
    onChange(
      dates.map((date) => (date.cancelled ? date : { ...date, cancelled: true, reason: '' })),
    );
  };
  const takeBack = () =>
    onChange(
      dates.map((date) => {
        const before = kept?.find(({ position }) => position === date.position);
        return { ...date, cancelled: before?.cancelled ?? false, reason: before?.reason ?? '' };
      }),
    );
  return (
    <div>
      <CheckField
        label="Cancelar todas las que quedan"
        checked={areCancelled}
        onChange={areCancelled ? takeBack : cancel}
      />
      {areCancelled && kept && (
        <ReasonField
          label="Por qué se cancelan (opcional)"
          reason={common}
          onChange={(reason) => {
            setCommon(reason);
            onChange(dates.map((date) => (date.reason === common ? { ...date, reason } : date)));
          }}
        />
      )}
    </div>
  );
}
