import type { ChannelState } from '../state/state.ts';
import styles from './channel-aside.module.css';
import { NextDates } from './events/next-dates.tsx';
import { upcomingOf } from './events/upcoming-of.ts';
import { documentsOf } from './files/documents-of.ts';
import { LatestDocuments } from './files/latest-documents.tsx';
import { OpenPolls } from './polls/open-polls.tsx';

/** The next dates, the open polls and, on desks, the latest files of a channel, above its comments or beside them. */
export function ChannelAside({ channel }: { channel: ChannelState }) {
  const dates = upcomingOf(channel);
  const { polls = [] } = channel;
  const documents = documentsOf(channel);
  if (dates.length + polls.length + documents.length === 0) return null;
  return (
    <div className={`unprinted ${styles.aside}`} data-dates="">
      {dates.length > 0 && <NextDates dates={dates} />}
      {polls.length > 0 && <OpenPolls polls={polls} />}
      {documents.length > 0 && <LatestDocuments channelId={channel._id} documents={documents} />}
    </div>
  );
}
