import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import type { Rsvp } from '../../../shared/events.ts';
import type { OwnDecision } from '../../../shared/moderation.ts';
import type { CommentVote } from '../../../shared/polls.ts';
import { useHiddenComments } from '../../own-decisions/own-decisions.ts';
import type { ChannelState } from '../../state/state.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useEditedComment } from '../composer/edited-comment.ts';
import type { EventToolsProps } from '../events/event-tools.tsx';
import { CommentTools, type CommentToolsProps } from '../item/comment-tools.tsx';
import { useOwnData } from '../item/own-data.ts';
import { useSelectedComment } from '../item/selected-text.ts';
import type { PollToolsProps } from '../polls/poll-tools.tsx';

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
  /** Renders polls for the account. Null until its script is loaded, so that their options are shown meanwhile. */
  PollTools: ComponentType<PollToolsProps> | null;
  /** Numbers of the comments that the account gave thanks for. */
  thanked: ReadonlySet<number>;
  /** The account's answers to dates, by the numbers of their comments. */
  rsvps: ReadonlyMap<number, readonly Rsvp[]>;
  /** The account's votes, by the numbers of their comments; null while they are not known. */
  votes: ReadonlyMap<number, CommentVote> | null;
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
  const own = useOwnData(userId, channel);
  const edited = useEditedComment(userId, channel._id);
  const selected = useSelectedComment(channel.comments);
  const hidden = useHiddenComments(channel._id);
  const { isReady, PollTools } = useCarriedTools(channel);
  // Before the browser paints, and within the event that has begun to edit a comment. All tools at once: the page moves once.
  useLayoutEffect(() => {
    if (isReady)
      onChange({ Tools: CommentTools, EventTools, PollTools, ...own, edited, selected, hidden });
  }, [isReady, PollTools, own, edited, selected, hidden, onChange]);
  return null;
}

/**
 * Loads the tools of dates and of polls once the channel has some.
 * @returns those of polls, and whether what the channel had when it was opened is loaded or has failed to load
 */
function useCarriedTools({ comments }: ChannelState) {
  const hasEvents = comments.some(({ event }) => event !== null);
  const hasPolls = comments.some(({ poll }) => poll !== null);
  const [isReady, setReady] = useState(!hasEvents && !hasPolls);
  const [PollTools, setPollTools] = useState<ComponentType<PollToolsProps> | null>(null);
  useEffect(() => {
    const loadPolls = async () => {
      const parts = await import('../polls/poll-tools.tsx');
      setPollTools(() => parts.PollTools);
    };
    const loading = [hasEvents && EventTools.load(), hasPolls && loadPolls()];
    void Promise.allSettled(loading).then(() => setReady(true));
  }, [hasEvents, hasPolls]);
  return { isReady, PollTools };
}
