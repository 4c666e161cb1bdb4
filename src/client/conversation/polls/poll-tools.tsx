import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { ownWords } from '../../../shared/own-words.ts';
import type { CommentPoll, CommentVote } from '../../../shared/polls.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';
import { serverNow } from '../../api/call.ts';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { composerDraft } from '../composer/composer-draft.ts';
import { eventDraftOf } from '../composer/event-draft.ts';
import { addEvent } from '../composer/event-part.ts';
import links from '../events/event-tools.module.css';
import { Opened } from '../events/opened.tsx';
import parts from './poll-options.module.css';
import { PollOptions } from './poll-options.tsx';
import { chosenTime, resultOf } from './poll-texts.ts';
import styles from './poll-tools.module.css';
import { VoteForm } from './vote-form.tsx';

const Voters = lazyPart(async () => (await import('./voters.tsx')).Voters);

export interface PollToolsProps {
  comment: Comment;
  poll: CommentPoll;
  /** Null without a vote. */
  vote: CommentVote | null;
}

/** The options of a poll for a signed-in user: to choose from, or with the user's vote, the counts and what can be done then. */
export function PollTools({ comment, poll, vote }: PollToolsProps) {
  const [isChanging, setChanging] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  /** Shows the options in the other form. The button that was pressed is gone then. */
  const show = (isForm: boolean) => {
    flushSync(() => setChanging(isForm));
    place.current?.querySelector<HTMLElement>('input:checked')?.focus();
    if (!isForm) place.current?.focus();
  };
  // The pass of each minute closes it a little later.
  const isOver = poll.isClosed || (serverNow() ?? 0) >= Date.parse(poll.closesAt);
  const isVoting = !isOver && (vote === null || isChanging);
  return (
    <div ref={place} tabIndex={-1} className={styles.tools}>
      {isVoting ? (
        <VoteForm comment={comment} poll={poll} vote={vote} onEnd={() => show(false)} />
      ) : (
        <Voted
          comment={comment}
          poll={poll}
          vote={vote}
          isOver={isOver}
          onChange={() => show(true)}
        />
      )}
    </div>
  );
}

interface VotedProps extends PollToolsProps {
  /** Whether it is too late to vote. */
  isOver: boolean;
  /** Begins to change the vote. */
  onChange: () => void;
}

function Voted({ comment, poll, vote, isOver, onChange }: VotedProps) {
  const { isClosed, secret } = poll;
  const result = resultOf(poll, vote);
  return (
    <>
      <PollOptions poll={poll} result={result} chosen={vote?.options ?? []} />
      {isOver && !isClosed && (
        <p className="note">Ya está cerrada. El resultado se verá en unos momentos.</p>
      )}
      {vote && secret && !isOver && (
        <p className="note">Has votado. El resultado se verá cuando se cierre.</p>
      )}
      <div className={`row unprinted ${parts.buttons}`}>
        {vote && !secret && !isOver && (
          <button type="button" className={`bare target ${links.open}`} onClick={onChange}>
            Cambiar mi voto
          </button>
        )}
        <MakeDate comment={comment} poll={poll} />
        {!secret && result && result.voters > 0 && (
          <Opened label="Ver quiénes">
            <Voters comment={comment} poll={poll} result={result} />
          </Opened>
        )}
      </div>
    </>
  );
}

/** Lets the author of a closed poll write a date at the time that was chosen, with the beginning of the comment as its title. */
function MakeDate({ comment, poll }: Pick<PollToolsProps, 'comment' | 'poll'>) {
  const { id } = useUser();
  const { channelId, autorId } = comment;
  const isWritable = useAppState(({ channels }) => !channels.get(channelId)?.closedAt);
  const start = poll.isClosed && chosenTime(poll);
  if (!start || autorId !== id || !isWritable) return null;
  const title = wholeCharacters(ownWords(comment.comment), limits.eventTitleChars);
  const make = async () => {
    const event = eventDraftOf({ title, allDay: false, dates: [{ start }] });
    await addEvent(composerDraft(id, channelId), event);
    // A question is rarely the title.
    const field = document.activeElement;
    if (field instanceof HTMLInputElement) field.select();
  };
  return (
    <button type="button" className={`bare target ${links.open}`} onClick={() => void make()}>
      Hacer la fecha
    </button>
  );
}
