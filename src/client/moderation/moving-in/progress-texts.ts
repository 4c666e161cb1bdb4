import { messagesText } from '../../../shared/import-texts.ts';
import type { ChatImport } from '../../../shared/moving-in.ts';
import { numberText } from '../../../shared/number-texts.ts';

/** How an import ended, and what to do next. */
export function endText({ state, done, total, isClosed }: ChatImport): string {
  const part = `Se trajeron ${numberText(done)} de ${messagesText(total)}.`;
  const again =
    'sube otra vez el mismo archivo y tráelo con el mismo nombre. Seguirá donde estaba.';
  switch (state) {
    case 'done':
      return `Se ${done === 1 ? 'trajo' : 'trajeron'} ${messagesText(done)}. ${
        isClosed
          ? 'Por ahora solo se lee: ábrelo cuando todo esté bien.'
          : 'Está abierto: ya se puede escribir.'
      }`;
    case 'full':
      return `El disco del servidor se ha llenado. ${part} Cuando haya sitio, ${again}`;
    case 'failed':
      return `Algo ha fallado. ${part} Para seguir, ${again} Si vuelve a pasar, díselo a quien lleva el servidor.`;
    case 'cancelled':
      return `Se canceló. ${part} Para seguir, ${again}`;
    default:
      return `El servidor se paró a medias. ${part} Para seguir, ${again}`;
  }
}

/** How long an import will take, for example 'Faltan unos 4 minutos.' */
export function remainingText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'Falta menos de un minuto.';
  if (minutes === 1) return 'Falta un minuto, más o menos.';
  if (minutes < 90) return `Faltan unos ${minutes} minutos.`;
  return `Faltan unas ${Math.round(minutes / 60)} horas.`;
}
