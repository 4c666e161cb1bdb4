import type { Role } from '../../shared/moderation.ts';

/** Texts of what moderators do on public pages, besides decisions. */
export const staffTexts = {
  undo: 'Deshacer',
  undone: 'Deshecho',
  notUndone: 'No se pudo deshacer.',

  versions: 'Versiones anteriores',
  versionsFailed: 'No se pudieron cargar las versiones',
  noVersions: 'No hay versiones anteriores.',
  first: 'Primera versión',
  until: 'hasta',
  now: 'Ahora',
  close: 'Cerrar',

  role: 'Papel',
  roleHint: 'El cambio vale desde este momento.',
  roles: {
    member: 'Miembro',
    moderator: 'Moderación',
    admin: 'Administración',
  } satisfies Record<Role, string>,
  roleSaved: 'Papel cambiado',
  roleNotSaved: 'No se pudo cambiar el papel.',

  linkIntro:
    'Con este enlace se pone una contraseña nueva sin saber la anterior. Sirve una vez: envíaselo solo a esa persona.',
  makeLink: 'Crear el enlace',
  link: 'Enlace de un solo uso',
  linkUntil: (date: string) => `Sirve hasta el ${date}.`,
  linkFailed: 'No se pudo crear el enlace.',
} as const;
