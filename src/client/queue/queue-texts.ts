import type { DecisionSubject } from '../../shared/moderation.ts';

/** The server counts up to this, and then there may be more. */
export const counted = 1000;

/** Texts of the page of moderators. */
export const queueTexts = {
  kinds: {
    comment: 'Comentario de',
    channel: 'Canal de',
    user: 'Persona:',
    appeal: 'Recurso de',
  } satisfies Record<Exclude<DecisionSubject['kind'], 'users'>, string>,
} as const;

export const many = (count: number, one: string, more: string) =>
  `${count} ${count === 1 ? one : more}`;
export const accountCount = (count: number) => many(count, 'cuenta', 'cuentas');
