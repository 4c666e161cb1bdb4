import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Decision, NewAccount } from '../../../shared/moderation.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { serverNow } from '../../api/call.ts';
import { callKey, useUserQuery } from '../../api/user-query.ts';
import { changeEntry, entryState } from '../../dom/entry-state.ts';
import { Link } from '../../dom/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SubmitButton } from '../../ui/forms/submit-button.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Note } from '../../ui/notice.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import { TimeAgo } from '../../ui/time/time-ago.tsx';
import { DecisionForm } from '../decisions/decision-form.tsx';
import { undoSlip } from '../decisions/staff-calls.ts';
import styles from './moderation-page.module.css';
import { listNewAccounts } from './queue-calls.ts';
import { accountCount, many } from './queue-texts.ts';

const defaultMs = 2 * 60 * 60_000;
const minuteMs = 60_000;

const nowMs = () => serverNow() ?? Date.now();

/** The value of a `datetime-local` input, in whole minutes. */
const localTime = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

/** A time range (ISO 8601; null means now). */
type Range = NonNullable<ReturnType<typeof entryState>['raid']>;

const isoTime = (ms: number) => new Date(ms).toISOString();

/**
 * Hides all content of the accounts opened between two times, except unchecked ones. The times are stored in the
 * history entry, so that they are kept after visiting the page of one of the accounts.
 */
export function Raid() {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [{ from, to }, setRange] = useState<Range>(
    () => entryState().raid ?? { from: isoTime(nowMs() - defaultMs), to: null },
  );
  /** Checkboxes that the moderator has changed, by account id. */
  const [ticks, setTicks] = useState<Record<string, boolean>>({});
  const reload = (range: Range) =>
    queryClient.invalidateQueries({ queryKey: callKey(userId, listNewAccounts, range) });
  const form = useForm({
    async send(text) {
      const range = {
        from: isoTime(Date.parse(text('from'))),
        to: text('to') ? isoTime(Date.parse(text('to')) + minuteMs - 1) : null,
      };
      setRange(range);
      changeEntry({ raid: range });
      await reload(range);
    },
  });
  return (
    <>
      <p>
        Cuando llegan muchas cuentas de golpe a molestar. Están marcadas las que nadie ha aprobado:
        quita la marca a quien no tenga que ver y ocúltalo todo con una sola decisión, que se
        deshace de una vez.
      </p>
      <form {...form.props} className={`row ${styles.fields}`} method="get">
        <TextField
          type="datetime-local"
          name="from"
          label="Abiertas desde"
          defaultValue={localTime(Date.parse(from))}
          required
        />
        <TextField
          type="datetime-local"
          name="to"
          label="Hasta (vacío: ahora)"
          defaultValue={to ? localTime(Date.parse(to)) : ''}
        />
        <SubmitButton label="Ver las cuentas" isBusy={false} />
      </form>
      <NewAccounts
        key={`${from} ${to}`}
        range={{ from, to }}
        ticks={ticks}
        onTick={(id, isTicked) => setTicks({ ...ticks, [id]: isTicked })}
        reload={() => reload({ from, to })}
      />
    </>
  );
}

interface NewAccountsProps {
  range: Range;
  ticks: Record<string, boolean>;
  onTick: (id: string, isTicked: boolean) => void;
  reload: () => Promise<void>;
}

function NewAccounts({ range, ticks, onTick, reload }: NewAccountsProps) {
  const [isOpen, setOpen] = useState(false);
  const query = useUserQuery(listNewAccounts, range, { isKept: true });
  // An approval by another moderator must not change a checkbox that this one has set.
  const isTicked = ({ id, isApproved }: NewAccount) => ticks[id] ?? !isApproved;
  const close = () => setOpen(false);
  const done = async ({ id, accounts }: Decision, isEarlier: boolean) => {
    close();
    await reload();
    if (isEarlier) return;
    const action = { label: 'Deshacer', run: () => undoSlip(id, reload) };
    showStatus({ text: `Se ha ocultado todo lo de ${accountCount(accounts)}.`, action });
  };
  return (
    <Loaded query={query}>
      {({ data, isComplete }) => {
        const ids = data.filter(isTicked).map(({ id }) => id);
        const label = `Ocultar todo lo de ${ids.length === 1 ? 'esta cuenta' : `estas ${ids.length} cuentas`}`;
        return (
          <>
            {/* Gets the focus when the button is removed together with the hidden accounts. */}
            <p role="status" tabIndex={-1}>
              {data.length > 0
                ? `${ids.length} de ${accountCount(data.length)}, las más nuevas primero.`
                : 'No se abrió ninguna cuenta en ese tiempo.'}
            </p>
            {!isComplete && (
              <Note>Hay más: son las últimas. Después de ocultarlas, mira otra vez.</Note>
            )}
            {isOpen && (
              <div hidden={ids.length === 0}>
                <DecisionForm
                  task={{ subject: { kind: 'users', ids }, action: 'hideAll' }}
                  label={label}
                  category="spam"
                  onDone={done}
                  onCancel={close}
                />
              </div>
            )}
            {!isOpen && ids.length > 0 && (
              <button
                type="button"
                className={buttons.primary}
                data-destroys
                onClick={() => setOpen(true)}
              >
                {label}
              </button>
            )}
            <ul className={`frame ${lists.list}`}>
              {data.map((one) => (
                <li key={one.id} className={`row ${lists.item}`}>
                  <div className={lists.what}>
                    <CheckField
                      label={one.name}
                      hint={<Wrote newAccount={one} />}
                      checked={isTicked(one)}
                      onChange={() => onTick(one.id, !isTicked(one))}
                    />
                  </div>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

function Wrote({ newAccount }: { newAccount: NewAccount }) {
  const { id, createdAt, isApproved, excerpt } = newAccount;
  return (
    <>
      <TimeAgo iso={createdAt} />
      <span>{`, ${wrote(newAccount)}${isApproved ? ', aprobada' : ''}. `}</span>
      <Link href={pageRoutes.user(id)}>Ver su página</Link>
      {excerpt && (
        <q className="clamped" dir="auto">
          {excerpt}
        </q>
      )}
    </>
  );
}

function wrote({ comments, channels, waiting }: NewAccount): string {
  return (
    [
      comments > 0 && many(comments, 'comentario', 'comentarios'),
      channels > 0 && many(channels, 'canal', 'canales'),
      waiting > 0 && `${waiting} por aprobar`,
    ]
      .filter(Boolean)
      .join(', ') || 'sin publicar nada'
  );
}
