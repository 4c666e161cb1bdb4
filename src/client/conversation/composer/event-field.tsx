import { dayText } from '../../../shared/event-texts.ts';
import { otherZoneText } from '../../dom/device-zone.ts';
import { useSite } from '../../state/store-provider.tsx';
import { useDraft } from '../../storage/drafts.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { commentTexts } from '../comment-texts.ts';
import { EventTextField } from '../events/event-text-field.tsx';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import { DraftPart } from './draft-part.tsx';
import { type EventDraft, repetitions } from './empty-event.ts';
import { cutText, daysOf, whenText } from './event-draft.ts';
import styles from './event-field.module.css';
import { putPart } from './put-part.ts';

const repetitionTexts: Record<(typeof repetitions)[number], string> = {
  never: 'No se repite',
  week: 'Cada semana',
  fortnight: 'Cada dos semanas',
  month: 'Cada mes, el mismo día de la semana',
};

/** The dates of a comment that is being written. */
export function EventField({ draft, isLocked }: { draft: ComposerDraft; isLocked: boolean }) {
  const event = useDraft(draft, (content) => content.event);
  const otherZone = otherZoneText(useSite().zone);
  if (!event) return null;
  const change = (part: Partial<EventDraft>) =>
    changeComposer(draft, { event: { ...event, ...part } }, true);
  const days = daysOf(event);
  const cut = cutText(event);
  return (
    <DraftPart
      draft={draft}
      name="event"
      legend="Fecha"
      removeLabel="Quitar la fecha"
      isLocked={isLocked}
      onRemove={() => {
        changeComposer(draft, { event: null });
        const run = () => putPart(draft, { event });
        showStatus({ text: 'Fecha quitada', action: { label: 'Deshacer', run } });
      }}
    >
      <EventTextField name="title" texts={event} onChange={change} />
      <div className="row">
        <TextField
          label="Día"
          type="date"
          required
          value={event.day}
          onChange={({ currentTarget }) => change({ day: currentTarget.value })}
        />
        {event.allDay ? (
          <TextField
            label="Último día (opcional)"
            type="date"
            min={event.day}
            value={event.lastDay}
            onChange={({ currentTarget }) => change({ lastDay: currentTarget.value })}
          />
        ) : (
          <>
            <TextField
              label="Hora"
              type="time"
              required
              value={event.hour}
              onChange={({ currentTarget }) => change({ hour: currentTarget.value })}
            />
            <TextField
              label="Termina (opcional)"
              type="time"
              value={event.endHour}
              onChange={({ currentTarget }) => change({ endHour: currentTarget.value })}
            />
          </>
        )}
      </div>
      {!event.allDay && otherZone && <p className="note">{otherZone}</p>}
      {days.length === 1 && <p className="note">{whenText(event)}</p>}
      <CheckField
        label="Todo el día"
        checked={event.allDay}
        onChange={({ currentTarget }) => change({ allDay: currentTarget.checked })}
      />
      <EventTextField name="location" texts={event} onChange={change} />
      <EventTextField name="capacity" texts={event} onChange={change} />
      <div className="row">
        <Field label="Repetición">
          {(attributes) => (
            <select
              {...attributes}
              value={event.repeats}
              onChange={({ currentTarget }) =>
                change({
                  repeats: repetitions[currentTarget.selectedIndex] ?? 'never',
                  without: [],
                })
              }
            >
              {repetitions.map((each) => (
                <option key={each} value={each}>
                  {repetitionTexts[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {event.repeats !== 'never' && (
          <TextField
            label="Hasta"
            type="date"
            required
            min={event.day}
            value={event.until}
            onChange={({ currentTarget }) => change({ until: currentTarget.value })}
          />
        )}
      </div>
      {cut && <p className="note">{cut}</p>}
      {days.length > 1 && (
        <details className={styles.days} open={days.length <= 8}>
          <summary>{whenText(event)}</summary>
          <ul>
            {days.map((day) => {
              const isOut = event.without.includes(day);
              return (
                <li key={day} className="row tight" data-out={isOut || undefined}>
                  <span>{whenText({ ...event, day, repeats: 'never', without: [] })}</span>
                  <button
                    type="button"
                    className={`bare target ${styles.out}`}
                    aria-label={`${isOut ? 'Volver a poner' : commentTexts.remove}: ${dayText(day)}`}
                    onClick={() =>
                      change({
                        without: isOut
                          ? event.without.filter((one) => one !== day)
                          : [...event.without, day],
                      })
                    }
                  >
                    {isOut ? 'Volver a poner' : commentTexts.remove}
                  </button>
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </DraftPart>
  );
}
