import { limits } from './limits.ts';
import { numberText } from './number-texts.ts';
import type { CommentPoll } from './polls.ts';

/** The result of a closed poll in one line. */
export function resultText({ secret, voters, options }: CommentPoll): string {
  if (voters === null && secret)
    return `Han votado menos de ${limits.fewestSecretVoters} personas, así que no hay resultado.`;
  const most = Math.max(0, ...options.map(({ votes }) => votes ?? 0));
  if (most === 0) return 'No ha votado nadie.';
  const winners = options.filter(({ votes }) => votes === most).map(({ text }) => text);
  const lead = winners.length > 1 ? 'Empate' : 'Ganó';
  return `${lead}: ${winners.join('; ')} (${most === 1 ? '1 voto' : `${numberText(most)} votos`})`;
}
