import type { ChannelState } from '../state/state.ts';
import styles from './channel-aside.module.css';
import { NextDates } from './events/next-dates.tsx';
import { upcomingOf } from './events/upcoming-of.ts';
import { OpenPolls } from './polls/open-polls.tsx';

/** The next dates and the open polls of a channel, above its comments or beside them. */
export function ChannelAside({ channel }: { channel: ChannelState }) {
  const dates = upcomingOf(channel);
  const { polls = [] } = channel;
  if (dates.length + polls.length === 0) return null;
  return (
    <div className={`unprinted ${styles.aside}`} data-dates="">
      {dates.length > 0 && <NextDates dates={dates} />}
      {polls.length > 0 && <OpenPolls polls={polls} />}
    </div>
  );
}
