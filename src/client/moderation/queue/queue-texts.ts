import type { DecisionSubject } from '../../../shared/moderation.ts';

/** The server stops counting at this number, so there may be more. */
export const counted = 1000;

/** Precedes the author's name. */
export const kindTexts: Record<Exclude<DecisionSubject['kind'], 'users'>, string> = {
  comment: 'Comentario de',
  channel: 'Canal de',
  user: 'Persona:',
  appeal: 'Petición de revisión de',
};

export const many = (count: number, one: string, more: string) =>
  `${count} ${count === 1 ? one : more}`;
export const accountCount = (count: number) => many(count, 'cuenta', 'cuentas');
