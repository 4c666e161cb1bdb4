import { NextDates, OpenPolls } from '../../conversation/carried-part.ts';
import { upcomingOf } from '../../conversation/events/upcoming-of.ts';
import type { ChannelState } from '../../state/state.ts';
import styles from './channel-page.module.css';

/** The next dates and the open polls of a channel, above its comments or beside them. */
export function ChannelAside({ channel }: { channel: ChannelState }) {
  const dates = upcomingOf(channel);
  const { polls = [] } = channel;
  if (dates.length + polls.length === 0) return null;
  return (
    <div className={`unprinted ${styles.dates}`} data-dates="">
      {dates.length > 0 && <NextDates dates={dates} />}
      {polls.length > 0 && <OpenPolls polls={polls} />}
    </div>
  );
}
