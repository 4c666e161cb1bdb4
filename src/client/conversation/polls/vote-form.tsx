import { useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentPoll, CommentVote } from '../../../shared/polls.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { refetchNow } from '../../api/user-query.ts';
import { queryClientOf } from '../../api/with-queries.tsx';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import { fetchComment } from '../fetch-comment.ts';
import { mineKey } from '../item/own-data.ts';
import { voteInPoll } from './poll-calls.ts';
import parts from './poll-options.module.css';
import styles from './poll-tools.module.css';
import { setVote } from './set-vote.ts';

interface VoteFormProps {
  comment: Comment;
  poll: CommentPoll;
  /** The vote that is changed; null for the first one. */
  vote: CommentVote | null;
  onEnd: () => void;
}

/** The options of a poll to choose from. No form, in which Enter would vote and which is not printed. */
export function VoteForm({ comment, poll, vote, onEnd }: VoteFormProps) {
  const { channelId, number } = comment;
  const store = useStore();
  const { id: userId } = useUser();
  const [chosen, setChosen] = useState<readonly number[]>(vote?.options ?? []);
  const { multiple, secret, options } = poll;
  const choose = (position: number, isChosen: boolean) => {
    const others = multiple ? chosen.filter((one) => one !== position) : [];
    setChosen(isChosen ? [...others, position] : others);
  };
  const send = async () => {
    if (chosen.length === 0) return showStatus({ text: 'Elige antes una opción.' });
    const key = { channelId, number };
    const stored = await orFailure(request(voteInPoll, { ...key, options: [...chosen] }));
    if (!(stored instanceof Failure)) {
      setVote(store, stored);
      showStatus({ text: 'Tu voto se ha guardado.', isOnlyHeard: true });
      return onEnd();
    }
    const hasVoted = stored.code === 'already_voted';
    showStatus({ text: hasVoted ? stored.text : `No se pudo guardar tu voto. ${stored.text}` });
    // The poll may be closed, and an earlier vote may be stored of which the response was lost.
    void refetchNow(queryClientOf(store), { queryKey: mineKey(userId, channelId) });
    const current = stored.isRefused && (await fetchComment(key));
    if (current) store.dispatch({ type: 'COMMENT_CHANGED', comment: current });
  };
  return (
    <>
      <fieldset className={styles.options}>
        <legend className="visually-hidden">
          {multiple ? 'Elige una o varias opciones' : 'Elige una opción'}
        </legend>
        {options.map(({ position, text }) => (
          <CheckField
            key={position}
            label={text}
            type={multiple ? 'checkbox' : 'radio'}
            name={`voto-${number}`}
            checked={chosen.includes(position)}
            onChange={({ currentTarget }) => choose(position, currentTarget.checked)}
          />
        ))}
      </fieldset>
      <div className={`row unprinted ${parts.buttons}`}>
        <ActionButton run={send}>Votar</ActionButton>
        {vote && (
          <button type="button" className={buttons.quiet} onClick={onEnd}>
            {accountTexts.cancel}
          </button>
        )}
        <span className="note">
          {secret
            ? 'No se guarda quién votó qué. El voto no se puede cambiar.'
            : 'Se verá qué has votado.'}
        </span>
      </div>
    </>
  );
}
