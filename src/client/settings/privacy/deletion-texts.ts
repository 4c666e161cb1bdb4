import type { DeletedContent } from '../../../shared/account-settings.ts';
import { fullTime } from '../../dom/time-words.ts';

/** Texts about the deletion of the account. */
export const deletionTexts = {
  content: {
    anonymous: 'Dejar mis comentarios sin mi nombre',
    erase: 'Borrar todo lo que escribí',
  } satisfies Record<DeletedContent, string>,
  endsAt: (endsAt: string) => `Tu cuenta se eliminará el ${fullTime(endsAt)}.`,
  showReceipt: 'Ver el justificante o cancelar',
} as const;
