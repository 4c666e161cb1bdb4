import { limits } from '../../shared/limits.ts';

/** Texts about channels that only their authors see. */
export const channelTexts = {
  options: 'Opciones del canal',
  close: 'Cerrar canal',
  reopen: 'Reabrir canal',
  delete: 'Eliminar canal',
  closed: 'Canal cerrado: se puede leer, pero no comentar',
  reopened: 'Canal reabierto',
  notClosed: 'No se pudo cerrar el canal.',
  notReopened: 'No se pudo reabrir el canal.',
  deleted: 'Canal eliminado',
  notDeleted: 'No se pudo eliminar el canal.',
  undo: 'Deshacer',
  restored: 'Canal recuperado:',
  notRestored: 'No se pudo recuperar el canal.',
  nameFixed: `El nombre solo se podía cambiar durante las primeras ${limits.editHours} horas.`,
  saved: 'Cambios guardados',
  notSaved: 'No se pudieron guardar los cambios',
  coverUploading: 'La portada aún se está subiendo. Espera a que termine y vuelve a guardar.',
} as const;
