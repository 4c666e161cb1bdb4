import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Arrival, Arrivals, Decision } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { serverNow } from '../api/call.ts';
import { refusalText } from '../api/failures.ts';
import { accountKey, answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { TextField } from '../components/field.tsx';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText } from '../components/use-submit.ts';
import { go, Link, useQueryString } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { DecisionForm } from './decision-form.tsx';
import { listArrivals } from './moderation-calls.ts';
import page from './moderation-page.module.css';
import { queueTexts, waveTexts } from './moderation-texts.ts';
import { waveLink } from './place-of.ts';
import styles from './wave.module.css';
import { WaveProgress } from './wave-progress.tsx';

const defaultMs = 2 * 60 * 60_000;
const minuteMs = 60_000;

/** Hides everything that accounts opened between two times wrote. The address names the latest such decision. */
export function Wave({ onStale }: { onStale: () => void }) {
  const decided = new URLSearchParams(useQueryString()).get('decision');
  const [now] = useState(nowMs);
  const [range, setRange] = useState<Pick<Arrivals, 'from' | 'to'> | null>(null);

  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const timeOf = (name: string) => Date.parse(fieldText(event.currentTarget, name));
    const [from, to] = [timeOf('from'), Math.min(timeOf('to') + minuteMs - 1, nowMs())];
    if (Number.isNaN(from + to)) return;
    setRange({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  };
  const done = ({ id, accounts }: Decision) => {
    setRange(null);
    const isHere = location.pathname === pageRoutes.moderation;
    if (isHere) go(waveLink(id), { replace: true });
    showStatus({ text: waveTexts.hides(accounts) });
  };
  return (
    <>
      {decided && <WaveProgress key={decided} id={decided} />}
      <p>{waveTexts.intro}</p>
      <form className={styles.range} method="get" onSubmit={ask}>
        <TextField
          type="datetime-local"
          name="from"
          label={waveTexts.from}
          defaultValue={localTime(now - defaultMs)}
          required
        />
        <TextField
          type="datetime-local"
          name="to"
          label={waveTexts.to}
          defaultValue={localTime(now)}
          required
        />
        <SubmitButton label={waveTexts.list} isBusy={false} />
      </form>
      {range && (
        <ArrivalList key={JSON.stringify(range)} {...range} onDone={done} onStale={onStale} />
      )}
    </>
  );
}

const nowMs = () => serverNow() ?? Date.now();

/** As a field for local times has it, in whole minutes. */
const localTime = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

interface ArrivalListProps extends Pick<Arrivals, 'from' | 'to'> {
  onDone: (decision: Decision) => void;
  onStale: () => void;
}

/** The accounts opened between two times, of which some can be left out of the decision. */
function ArrivalList({ from, to, onDone, onStale }: ArrivalListProps) {
  const { id } = useUser();
  const [except, setExcept] = useState<string[]>([]);
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...accountKey(id), 'arrivals', from, to],
    queryFn: async ({ signal }) => answerOf(await request(listArrivals, { from, to }, { signal })),
  });
  if (error) return <LoadFailure message={refusalText(error.failure)} onRetry={() => refetch()} />;
  if (!data) return <Loading label={texts.loading} />;

  const arrivals = data.data;
  const count = arrivals.length - except.length;
  const toggle = (arrival: Arrival) =>
    setExcept((ids) =>
      ids.includes(arrival.id) ? ids.filter((one) => one !== arrival.id) : [...ids, arrival.id],
    );
  return (
    <>
      <p role="status">{waveTexts.chosen(count, arrivals.length)}</p>
      {isOpen && count > 0 ? (
        <DecisionForm
          subject={{ kind: 'arrivals', from, to, except }}
          action="hideAll"
          label={waveTexts.hide(count)}
          category="spam"
          onDone={onDone}
          onCancel={() => setOpen(false)}
          onStale={onStale}
        />
      ) : (
        count > 0 && (
          <button type="button" className={buttons.primary} onClick={() => setOpen(true)}>
            {waveTexts.hide(count)}
          </button>
        )
      )}
      <ul className={page.lines}>
        {arrivals.map((arrival) => (
          <li key={arrival.id}>
            <CheckField
              label={arrival.name}
              hint={
                <>
                  <TimeAgo iso={arrival.createdAt} /> · {waveTexts.wrote(arrival)} ·{' '}
                  <Link href={pageRoutes.user(arrival.id)}>{queueTexts.places.user}</Link>
                  {arrival.excerpt && (
                    <q className={styles.excerpt} dir="auto">
                      {arrival.excerpt}
                    </q>
                  )}
                </>
              }
              checked={!except.includes(arrival.id)}
              onChange={() => toggle(arrival)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
