import { limits } from '../../shared/limits.ts';

/** Texts about channels that only their authors see. */
export const channelTexts = {
  options: 'Opciones del canal',
  close: 'Cerrar canal',
  reopen: 'Reabrir canal',
  delete: 'Eliminar canal',
  closed: 'Canal cerrado: se puede leer, pero no comentar',
  reopened: 'Canal abierto otra vez',
  notClosed: 'No se pudo cerrar el canal.',
  notReopened: 'No se pudo reabrir el canal.',
  deleted: 'Canal eliminado',
  notDeleted: 'No se pudo eliminar el canal.',
  undo: 'Deshacer',
  restored: 'Canal recuperado:',
  notRestored: 'No se pudo recuperar el canal.',
  nameFixed: `El nombre solo se puede cambiar durante ${limits.editHours} horas.`,
  newCover: 'Portada nueva (opcional)',
  saved: 'Cambios guardados',
  notSaved: 'No se pudo guardar el cambio',
  saveOver: 'Si guardas otra vez, lo tuyo sustituye a lo que hay ahora:',
  coverUploading: 'La portada aún se está subiendo. Espera a que termine y vuelve a guardar.',
  coverLost:
    'El navegador no ha conservado la portada que elegiste. Elígela otra vez si la quieres cambiar.',
} as const;
