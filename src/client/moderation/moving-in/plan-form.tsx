import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { ChatImport, ChatSummary, Plan } from '../../../shared/moving-in.ts';
import { request } from '../../api/request.ts';
import { deviceZone } from '../../dom/device-zone.ts';
import { useLeaveQuestion } from '../../images/upload/use-loss-warning.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import forms from '../../ui/styles/form-page.module.css';
import choices from '../../ui/styles/settings.module.css';
import { dayIn, dayText } from './chat-days.ts';
import { startImport } from './moving-in-calls.ts';
import { PeopleFields, readPeople } from './people-fields.tsx';

const orders = [
  ['day-month', 'Primero el día: 3/4 es el 3 de abril'],
  ['month-day', 'Primero el mes: 3/4 es el 4 de marzo'],
] as const;

const again = 'Sus personas están como las decidiste entonces: repásalas.';

/** Says what happens to a channel of this name that moved in before. */
function nameHint(name: string, imports: ChatImport[]): string | undefined {
  const same = imports.find((one) => one.name === name.trim());
  if (!same) return undefined;
  if (!same.isClosed)
    return 'Ese canal ya está abierto y no admite más. Con otro nombre será otro canal.';
  return same.state === 'done'
    ? `Ese canal ya se trajo: se le añadirá lo que el archivo tenga de nuevo. ${again}`
    : `Ese canal se quedó a medias: seguirá donde estaba. ${again}`;
}

interface PlanFormProps {
  summary: ChatSummary;
  plan: Plan;
  imports: ChatImport[];
  refetch: () => Promise<void>;
}

/** The form with the decisions about a chat, which starts to bring it. */
export function PlanForm({ summary, plan, imports, refetch }: PlanFormProps) {
  const [order, setOrder] = useState(plan.dates);
  const [channel, setChannel] = useState(plan.channel);
  /** Null until somebody chooses one, which another order of dates then leaves. */
  const [chosenDay, setChosenDay] = useState<string | null>(null);
  const [isChanged, setChanged] = useState(false);
  useLeaveQuestion(isChanged);
  // A plan that somebody decided before has an order, also where the file allows both.
  const isAsked = summary.dates === 'ask';
  const dayOf = (at: string, inOrder = order) => (isAsked ? dayIn(inOrder, at) : at.slice(0, 10));
  const span = (inOrder = order) =>
    `Del ${dayText(dayOf(summary.from, inOrder))} al ${dayText(dayOf(summary.to, inOrder))}`;
  const form = useForm({
    fields: ['channel', 'firstDay', 'zone', ...plan.people.map((_, index) => `people.${index}`)],
    async send(text, element) {
      const firstDay = text('firstDay') || dayOf(summary.from);
      const people = readPeople(element, plan.people);
      const decided = { channel, zone: text('zone'), dates: order, firstDay, people };
      try {
        const started = await request(startImport, { plan: decided });
        setChanged(false);
        return started;
      } finally {
        // Also after a failure: the response to a start that succeeded may be lost.
        await refetch();
      }
    },
  });

  return (
    <form {...form.props} className={`stack ${forms.form}`} onInput={() => setChanged(true)}>
      <h2>Cómo traerlo</h2>
      <TextField
        label="Nombre del canal"
        required
        maxLength={limits.rawFactor * limits.channelNameChars}
        autoComplete="off"
        dir="auto"
        {...form.field('channel')}
        value={channel}
        onChange={({ currentTarget }) => setChannel(currentTarget.value)}
        hint={nameHint(channel, imports)}
      />
      {isAsked && (
        <fieldset className={`stack tight ${choices.choices}`}>
          <legend>Cómo están escritas las fechas</legend>
          {orders.map(([value, label]) => (
            <CheckField
              key={value}
              type="radio"
              name="dates"
              required
              label={label}
              hint={`${span(value)}.`}
              checked={order === value}
              onChange={() => setOrder(value)}
            />
          ))}
        </fieldset>
      )}
      <TextField
        label="Desde qué día"
        type="date"
        {...form.field('firstDay')}
        value={chosenDay ?? (order === plan.dates ? plan.firstDay : dayOf(summary.from))}
        onChange={({ currentTarget }) => setChosenDay(currentTarget.value)}
        min={dayOf(summary.from)}
        max={dayOf(summary.to)}
        hint={`${order === 'ask' ? '' : `${span()}. `}Lo anterior se queda fuera.`}
      />
      <TextField
        label="Zona horaria del teléfono"
        required
        maxLength={limits.zoneChars}
        autoComplete="off"
        dir="ltr"
        spellCheck={false}
        {...form.field('zone')}
        defaultValue={plan.zone}
        hint={`La del teléfono que exportó el chat.${deviceZone() ? ` Este dispositivo: ${deviceZone()}.` : ''}`}
      />
      <PeopleFields people={plan.people} counts={summary.people} field={form.field} />
      <p className="note">
        El canal se hace cerrado: se lee, y nadie escribe en él hasta que lo abras. No se avisa a
        nadie de cada mensaje, solo de que hay un canal nuevo.
      </p>
      <FormEnd form={form} label="Traer el grupo" />
    </form>
  );
}
