import { limits } from '../../../shared/limits.ts';
import { numberText } from '../../../shared/number-texts.ts';
import type { CommentPoll, CommentVote, PollResult } from '../../../shared/polls.ts';

type Poll = Pick<CommentPoll, 'isClosed' | 'voters' | 'options'>;

/** The counts of a closed poll, or those that somebody who voted was told; null without. */
export function resultOf({ voters, options }: Poll, vote?: CommentVote | null): PollResult | null {
  if (voters === null) return vote?.result ?? null;
  return { voters, votes: options.map(({ votes }) => votes ?? 0) };
}

/** Such as "3 votos, 60 %". @param voters how many people voted in all */
export function votesText(votes: number, voters: number): string {
  const percent = voters > 0 ? Math.round((100 * votes) / voters) : 0;
  return `${votes === 1 ? '1 voto' : `${numberText(votes)} votos`}, ${percent}\u00a0%`;
}

/** How many have voted, or why a closed poll has no result; empty while nothing is known. */
export function votersText({ isClosed }: Poll, result: PollResult | null): string {
  if (!result) {
    const fewest = limits.fewestSecretVoters;
    return isClosed ? `Han votado menos de ${fewest} personas, así que no hay resultado.` : '';
  }
  const { voters } = result;
  if (voters === 0) return 'No ha votado nadie.';
  return voters === 1 ? 'Ha votado 1 persona.' : `Han votado ${numberText(voters)} personas.`;
}

/** Day and hour of the first option with the most votes, such as `2027-03-28T20:30`; null if it is not one. */
export function chosenTime({ options }: Poll): string | null {
  const most = Math.max(...options.map(({ votes }) => votes ?? 0));
  const first = most > 0 && options.find(({ votes }) => votes === most);
  return first ? first.start : null;
}
