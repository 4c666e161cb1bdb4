import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Arrival, Decision } from '../../shared/moderation.ts';
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
import { changeEntry, entryState } from '../router/entry-state.ts';
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

type Choice = NonNullable<ReturnType<typeof entryState>['wave']>;

/**
 * Hides everything that accounts opened between two times wrote. The address names the latest such decision. What was
 * chosen is still there after a look at the page of one of them.
 */
export function Wave({ onStale }: { onStale: () => void }) {
  const decided = new URLSearchParams(useQueryString()).get('decision');
  const [now] = useState(nowMs);
  const [choice, setChoice] = useState(() => entryState().wave);
  const choose = (wave: Choice | undefined) => {
    setChoice(wave);
    changeEntry({ wave });
  };

  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const timeOf = (name: string) => Date.parse(fieldText(event.currentTarget, name));
    const [from, to] = [timeOf('from'), Math.min(timeOf('to') + minuteMs - 1, nowMs())];
    if (Number.isNaN(from + to)) return;
    const except = choice?.except ?? [];
    choose({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), except });
  };
  const done = ({ id, accounts }: Decision) => {
    choose(undefined);
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
          defaultValue={localTime(choice ? Date.parse(choice.from) : now - defaultMs)}
          required
        />
        <TextField
          type="datetime-local"
          name="to"
          label={waveTexts.to}
          defaultValue={localTime(choice ? Date.parse(choice.to) : now)}
          required
        />
        <SubmitButton label={waveTexts.list} isBusy={false} />
      </form>
      {choice && (
        <ArrivalList
          key={`${choice.from} ${choice.to}`}
          choice={choice}
          onChoose={choose}
          onDone={done}
          onStale={onStale}
        />
      )}
    </>
  );
}

const nowMs = () => serverNow() ?? Date.now();

/** As a field for local times has it, in whole minutes. */
const localTime = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

interface ArrivalListProps {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  onDone: (decision: Decision) => void;
  onStale: () => void;
}

/** The accounts opened between two times, of which some can be left out of the decision. */
function ArrivalList({ choice, onChoose, onDone, onStale }: ArrivalListProps) {
  const { from, to } = choice;
  const { id } = useUser();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...accountKey(id), 'arrivals', from, to],
    queryFn: async ({ signal }) => answerOf(await request(listArrivals, { from, to }, { signal })),
  });
  if (error) return <LoadFailure message={refusalText(error.failure)} onRetry={() => refetch()} />;
  if (!data) return <Loading label={texts.loading} />;

  const arrivals = data.data;
  const except = choice.except.filter((one) => arrivals.some((arrival) => arrival.id === one));
  const count = arrivals.length - except.length;
  const toggle = (arrival: Arrival) => {
    const others = except.filter((one) => one !== arrival.id);
    onChoose({ from, to, except: except.includes(arrival.id) ? others : [...others, arrival.id] });
  };
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
