import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import type { Rsvp } from '../../../shared/events.ts';
import type { OwnDecision } from '../../../shared/moderation.ts';
import { useHiddenComments } from '../../own-decisions/own-decisions.ts';
import type { ChannelState } from '../../state/state.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useEditedComment } from '../composer/edited-comment.ts';
import type { EventToolsProps } from '../events/event-tools.tsx';
import { CommentTools, type CommentToolsProps } from '../item/comment-tools.tsx';
import { useOwnData } from '../item/own-data.ts';
import { useSelectedComment } from '../item/selected-text.ts';

/** Few channels have dates. */
const EventTools = lazyPart(async () => (await import('../events/event-tools.tsx')).EventTools, {
  isQuiet: true,
});

/** The parts of a list of comments that only the signed-in account sees. */
export interface Marks {
  /** The buttons on each comment: passed on here, so that each comment needs no loading of its own. */
  Tools: ComponentType<CommentToolsProps> | null;
  /** Renders the answers and tools of a comment's dates. */
  EventTools: ComponentType<EventToolsProps> | null;
  /** Numbers of the comments that the account gave thanks for. */
  thanked: ReadonlySet<number>;
  /** The account's answers to dates, by the numbers of their comments. */
  rsvps: ReadonlyMap<number, readonly Rsvp[]>;
  /** Number of the comment whose text is in the composer. */
  edited: number | undefined;
  /** Number of the comment of which a part is selected. */
  selected: number | null;
  /** Decisions that hide comments of the account, by number. */
  hidden: ReadonlyMap<number, OwnDecision>;
}

interface OwnMarksProps {
  userId: string;
  channel: ChannelState;
  onChange: (marks: Marks) => void;
}

/** Finds the marks of the list. A component, so that its script is loaded only for people with an account. */
export function OwnMarks({ userId, channel, onChange }: OwnMarksProps) {
  const { thanked, rsvps } = useOwnData(userId, channel);
  const edited = useEditedComment(userId, channel._id);
  const selected = useSelectedComment(channel.comments);
  const hidden = useHiddenComments(channel._id);
  const isReady = useEventTools(channel);
  // Before the browser paints, and within the event that has begun to edit a comment. All tools at once: the page moves once.
  useLayoutEffect(() => {
    if (isReady)
      onChange({ Tools: CommentTools, EventTools, thanked, rsvps, edited, selected, hidden });
  }, [isReady, thanked, rsvps, edited, selected, hidden, onChange]);
  return null;
}

/**
 * Loads the tools of dates if the channel has dates when it is opened.
 * @returns whether they are loaded, have failed to load, or are not needed
 */
function useEventTools({ comments }: ChannelState): boolean {
  const [isReady, setReady] = useState(() => comments.every(({ event }) => event === null));
  useEffect(() => {
    const end = () => setReady(true);
    if (!isReady) EventTools.load().then(end, end);
  }, [isReady]);
  return isReady;
}
