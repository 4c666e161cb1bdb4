import { limits } from '../../shared/limits.ts';
import type { Plan } from '../../shared/moving-in.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Message, Omission } from './parse-chat.ts';
import { digitsOf, isTelephone } from './suggest-names.ts';

/** A comment to be written. */
export interface PlannedComment extends Omit<Message, 'at' | 'person' | 'isCut'> {
  /** When it was sent, by the clock of the plan's zone. Never earlier than the one before. */
  atMs: number;
  /** The name in the export, and the one that the plan gives it. */
  source: string;
  name: string;
}

/**
 * Applies decisions to the messages of an export. It reads and writes nothing else.
 * @param plan checked by `checkPlan`
 * @throws OperatorError for a person about whom the plan decides nothing, before any message of theirs
 */
export async function* applyPlan(
  items: AsyncIterable<Message | Omission> | Iterable<Message | Omission>,
  plan: Plan,
): AsyncGenerator<PlannedComment> {
  const names = new Map(plan.people.map(({ source, name }) => [source, name]));
  const withNames = mentionNamer(plan);
  let atMs = 0;
  for await (const item of items) {
    if ('leftOut' in item || item.at.slice(0, 10) < plan.firstDay) continue;
    const { at, person, isCut: _, ...comment } = item;
    const name = names.get(person);
    if (name === undefined) throw new OperatorError(undecided([person]));
    const wall = Temporal.PlainDateTime.from(at);
    // An hour that a clock skips in spring is later than it looks.
    atMs = Math.max(atMs, wall.toZonedDateTime(plan.zone).epochMilliseconds);
    if (name === null) continue;
    yield { ...comment, text: withNames(comment.text), atMs, source: person, name };
  }
}

/** A mention of somebody by their telephone number: digits alone, or with what people and WhatsApp write between them. */
const numberMention =
  /(?<![\w.])@(?:~\s?)?[+(]{0,2}(?:\p{Nd}{7,}|\p{Nd}(?:[\p{Zs}\p{Pd}()./]{0,3}\p{Nd}){6,14})(?!\p{Nd})/gu;

/** A function that replaces telephone numbers in mentions by the names that a plan gives, else by `@alguien`. */
function mentionNamer({ people }: Plan): (text: string) => string {
  const names = new Map(
    people.flatMap(({ source, name }) => (isTelephone(source) ? [[digitsOf(source), name]] : [])),
  );
  return (text) => {
    const named = text.replace(
      numberMention,
      (mention) => `@${names.get(digitsOf(mention)) ?? 'alguien'}`,
    );
    // Names may be longer than numbers, and a text may not.
    if (named.length <= Math.max(text.length, limits.commentChars)) return named;
    return text.replace(numberMention, '@alguien');
  };
}

/** @throws OperatorError naming the people of an export about whom the plan decides nothing */
export function requireDecisions(plan: Plan, people: { source: string }[]): void {
  const decided = new Set(plan.people.map(({ source }) => source));
  const missing = people.flatMap(({ source }) => (decided.has(source) ? [] : [source]));
  if (missing.length > 0) throw new OperatorError(undecided(missing));
}

const undecided = (sources: string[]) =>
  `El plan no dice nada de ${sources.slice(0, 10).join(', ')}${sources.length > 10 ? ' y otras personas' : ''}. Añade en people a cada una, con su nombre o con null para dejarla fuera.`;
