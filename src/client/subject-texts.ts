import type { Action } from '../shared/moderation.ts';

/** On the buttons of moderators, and in the menus of comments, channels and people. */
export const actionTexts: Record<Action, string> = {
  hide: 'Ocultar',
  restore: 'Restaurar',
  dismiss: 'Todo en orden',
  silence: 'Silenciar',
  suspend: 'Suspender',
  release: 'Levantar',
  hideAll: 'Ocultar todo lo de esta cuenta',
};

/** Texts about reporting and moderating what is on public pages. */
export const subjectTexts = {
  report: 'Denunciar',
  versions: 'Versiones anteriores',
  role: 'Cambiar el papel',
  link: 'Enlace para contraseña nueva',
  staff: 'Moderación',
} as const;
