import { type FormEvent, useRef, useState } from 'react';
import type { Arrival, Decision } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { serverNow } from '../api/call.ts';
import { useUserQuery } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { TextField } from '../components/field.tsx';
import lists from '../components/list.module.css';
import { Loaded } from '../components/loaded.tsx';
import notices from '../components/notice.module.css';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText } from '../components/use-submit.ts';
import { changeEntry, entryState } from '../router/entry-state.ts';
import { go, Link, useQueryString } from '../router/navigation.tsx';
import { TimeAgo } from '../time/time-ago.tsx';
import { DecisionForm } from './decision-form.tsx';
import { getDecision, listArrivals, undo } from './moderation-calls.ts';
import { staffTexts, waveTexts } from './moderation-texts.ts';
import { waveLink } from './place-of.ts';
import styles from './wave.module.css';

const defaultMs = 2 * 60 * 60_000;
const minuteMs = 60_000;

type Choice = NonNullable<ReturnType<typeof entryState>['wave']>;

/**
 * Hides everything that accounts opened between two times wrote. The address names the latest such decision. The
 * choice is stored in the history entry, so that it is still there after a look at the page of one of the accounts.
 */
export function Wave() {
  const decided = new URLSearchParams(useQueryString()).get('decision');
  const [defaults] = useState(() => ({ from: nowMs() - defaultMs, to: nowMs() }));
  const [choice, setChoice] = useState(() => entryState().wave);
  const choose = (wave: Choice | undefined) => {
    setChoice(wave);
    changeEntry({ wave });
  };

  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const timeOf = (name: string) => Date.parse(fieldText(event.currentTarget, name));
    const [from, to] = [timeOf('from'), Math.min(timeOf('to') + minuteMs - 1, nowMs())];
    const except = choice?.except ?? [];
    choose({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), except });
  };
  const done = ({ id, accounts }: Decision) => {
    choose(undefined);
    // The page itself says how far it is.
    if (location.pathname === pageRoutes.moderation) go(waveLink(id), { replace: true });
    else showStatus({ text: waveTexts.hides(accounts) });
  };
  return (
    <>
      {decided && <WaveProgress key={decided} id={decided} />}
      <p>{waveTexts.intro}</p>
      <form className={styles.range} method="get" onSubmit={ask}>
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            type="datetime-local"
            name={name}
            label={waveTexts[name]}
            defaultValue={localTime(choice ? Date.parse(choice[name]) : defaults[name])}
            required
          />
        ))}
        <SubmitButton label={waveTexts.list} isBusy={false} />
      </form>
      {choice && (
        <ArrivalList
          key={`${choice.from} ${choice.to}`}
          choice={choice}
          onChoose={choose}
          onDone={done}
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
}

/** The accounts opened between two times, of which some can be left out of the decision. */
function ArrivalList({ choice, onChoose, onDone }: ArrivalListProps) {
  const { from, to, except } = choice;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const query = useUserQuery(listArrivals, { from, to });
  const list = (arrivals: Arrival[]) => {
    const count = arrivals.filter(({ id }) => !except.includes(id)).length;
    const toggle = (id: string) => {
      const others = except.filter((one) => one !== id);
      // There is nothing left to hide. The reason is stored.
      if (count === 1 && !except.includes(id)) setOpen(false);
      onChoose({ from, to, except: except.includes(id) ? others : [...others, id] });
    };
    return (
      <>
        <p role="status">{waveTexts.chosen(count, arrivals.length)}</p>
        {isOpen ? (
          <DecisionForm
            subject={{ kind: 'arrivals', from, to, except }}
            action="hideAll"
            label={waveTexts.hide(count)}
            category="spam"
            onDone={onDone}
            onCancel={() => {
              setOpen(false);
              requestAnimationFrame(() => opener.current?.focus());
            }}
          />
        ) : (
          count > 0 && (
            <button
              ref={opener}
              type="button"
              className={buttons.primary}
              onClick={() => setOpen(true)}
            >
              {waveTexts.hide(count)}
            </button>
          )
        )}
        <ul className={lists.list}>
          {arrivals.map(({ id, name, createdAt, excerpt, ...wrote }) => (
            <li key={id} className={lists.item}>
              <div className={lists.what}>
                <CheckField
                  label={name}
                  hint={
                    <>
                      <TimeAgo iso={createdAt} /> · {waveTexts.wrote(wrote)} ·{' '}
                      <Link href={pageRoutes.user(id)}>{waveTexts.person}</Link>
                      {excerpt && (
                        <q className="clamped" dir="auto">
                          {excerpt}
                        </q>
                      )}
                    </>
                  }
                  checked={!except.includes(id)}
                  onChange={() => toggle(id)}
                />
              </div>
            </li>
          ))}
        </ul>
      </>
    );
  };
  return <Loaded query={query}>{({ data }) => list(data)}</Loaded>;
}

const intervalMs = 1000;

/** A wave that was decided: how much is left to hide, or to show again once it is undone. */
function WaveProgress({ id }: { id: string }) {
  const progress = useRef<HTMLDivElement>(null);
  const query = useUserQuery(getDecision, id, {
    intervalAfter: (wave) => (wave && wave.remaining > 0 ? intervalMs : 0),
  });
  const onUndone = async () => {
    await query.refetch();
    // The button that had the focus is removed.
    progress.current?.focus();
  };
  return (
    <Loaded query={query}>
      {({ remaining, accounts, undoneAt }) => (
        <div ref={progress} className={`${notices.note} ${styles.progress}`} tabIndex={-1}>
          <p role="status">
            {undoneAt
              ? waveTexts[remaining > 0 ? 'shows' : 'shown'](accounts)
              : waveTexts[remaining > 0 ? 'hides' : 'hidden'](accounts)}
          </p>
          {remaining > 0 && (
            <label>
              {waveTexts.remaining(remaining, accounts)}
              <progress max={accounts} value={accounts - remaining} />
            </label>
          )}
          {!undoneAt && (
            <button type="button" className={buttons.quiet} onClick={() => undo(id, onUndone)}>
              {staffTexts.undo}
            </button>
          )}
        </div>
      )}
    </Loaded>
  );
}
