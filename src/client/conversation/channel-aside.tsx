import type { ChannelState } from '../state/state.ts';
import { NextDates } from './events/next-dates.tsx';
import { upcomingOf } from './events/upcoming-of.ts';
import { documentsOf } from './files/documents-of.ts';
import { LatestDocuments } from './files/latest-documents.tsx';

/** Stands beside the comments of a channel, or above them: the next dates and, on desks, the latest files. */
export function ChannelAside({ channel, className }: { channel: ChannelState; className: string }) {
  const dates = upcomingOf(channel);
  const documents = documentsOf(channel);
  if (dates.length + documents.length === 0) return null;
  return (
    <div className={className} data-aside="">
      {dates.length > 0 && <NextDates dates={dates} />}
      {documents.length > 0 && <LatestDocuments channelId={channel._id} documents={documents} />}
    </div>
  );
}
