import type { ChatSummary, LeftOutCounts } from './moving-in.ts';
import { numberText } from './number-texts.ts';

/** '1 mensaje', '340 mensajes' */
export const countText = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`;

export const messagesText = (count: number) => countText(count, 'mensaje', 'mensajes');
export const peopleText = (count: number) => countText(count, 'persona', 'personas');

const reasons = [
  [
    'notice',
    'aviso de WhatsApp, como quién entra y quién sale',
    'avisos de WhatsApp, como quién entra y quién sale',
  ],
  ['call', 'llamada', 'llamadas'],
  ['deleted', 'mensaje que se eliminó', 'mensajes que se eliminaron'],
  [
    'omitted',
    'foto o archivo, porque el chat se exportó sin él',
    'fotos y archivos, porque el chat se exportó sin ellos',
  ],
  ['missing', 'foto o archivo que no está en el ZIP', 'fotos y archivos que no están en el ZIP'],
  ['unreadable', 'mensaje sin nada que se pueda leer', 'mensajes sin nada que se pueda leer'],
] as const satisfies [keyof ChatSummary['leftOut'], one: string, many: string][];

/** The parts of a chat that become no comment, or several, each as one line. */
export function leftOutLines({ leftOut, split, cut, quoted }: ChatSummary): string[] {
  const lines = reasons.flatMap(([reason, one, many]) =>
    leftOut[reason] > 0 ? [`No viene: ${countText(leftOut[reason], one, many)}.`] : [],
  );
  if (split > 0) lines.push(`Tan largo que serán varios comentarios: ${messagesText(split)}.`);
  if (cut > 0) lines.push(`Tan largo que el final se queda fuera: ${messagesText(cut)}.`);
  if (quoted.count > 0) {
    const numbers = quoted.lines.map(numberText).join(', ');
    lines.push(
      `Parecen el comienzo de un mensaje y son parte de otro: ${countText(quoted.count, 'línea', 'líneas')} del archivo (${numbers}${quoted.count > quoted.lines.length ? '…' : ''}). Mira si es así.`,
    );
  }
  return lines;
}

/** The parts that were left out while a chat was brought, in words; empty without any. */
export function leftOutText({ older, images, files }: LeftOutCounts): string {
  const parts = [
    older > 0 && `${messagesText(older)} de antes de lo que ya había`,
    images > 0 &&
      `${countText(images, 'imagen que no se pudo', 'imágenes que no se pudieron')} abrir`,
    files > 0 &&
      `${countText(files, 'archivo', 'archivos')} de una clase o un tamaño que no se admite`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `No se trajo: ${parts.join('; ')}.` : '';
}
