import type { DecisionSubject } from '../../../shared/moderation.ts';

/** The server counts up to this, and then there may be more. */
export const counted = 1000;

/** Before the name of its author. */
export const kindTexts: Record<Exclude<DecisionSubject['kind'], 'users'>, string> = {
  comment: 'Comentario de',
  channel: 'Canal de',
  user: 'Persona:',
  appeal: 'Recurso de',
};

export const many = (count: number, one: string, more: string) =>
  `${count} ${count === 1 ? one : more}`;
export const accountCount = (count: number) => many(count, 'cuenta', 'cuentas');
