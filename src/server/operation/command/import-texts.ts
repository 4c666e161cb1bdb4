import type { ChatSummary } from '../../../shared/moving-in.ts';
import { megabytesText, numberText } from '../../../shared/number-texts.ts';
import type { ImportResult } from '../../moving-in/import-chat.ts';

/** What is left out of a chat, by the reasons of a summary. */
const leftOutTexts: [keyof ChatSummary['leftOut'], string][] = [
  ['notice', 'avisos de WhatsApp'],
  ['call', 'llamadas'],
  ['deleted', 'mensajes eliminados'],
  ['omitted', 'archivos que se exportaron sin incluirlos'],
  ['missing', 'archivos que no están en el ZIP'],
  ['unreadable', 'mensajes que no se entienden'],
];

/** Lines that say what is in an exported chat. */
export function describeSummary(summary: ChatSummary): string[] {
  const { name, from, to, messages, people, attachments, leftOut, split, cut, dates } = summary;
  const left = leftOutTexts.filter(([reason]) => leftOut[reason] > 0);
  return [
    ...(name === '' ? [] : [`Grupo: ${name}`]),
    `Del ${from.replace('T', ' ')} al ${to.replace('T', ' ')}: ${numberText(messages)} comentarios`,
    `Imágenes y archivos: ${numberText(attachments.count)} (${megabytesText(Math.ceil(attachments.bytes / 1024 / 1024))})`,
    `Personas: ${people.map((one) => `${one.name} (${numberText(one.messages)})`).join(', ')}`,
    ...(split > 0 ? [`Mensajes tan largos que serán varios: ${numberText(split)}`] : []),
    ...(cut > 0 ? [`Mensajes que perderán el final: ${numberText(cut)}`] : []),
    ...(left.length > 0 ? ['Se queda fuera:'] : []),
    ...left.map(([reason, text]) => `  ${text}: ${numberText(leftOut[reason])}`),
    ...(dates === 'ask'
      ? ['Las fechas admiten dos lecturas: pon en el plan day-month o month-day en dates.']
      : []),
  ];
}

/** Lines that say what was brought. */
export function describeResult(
  { isDone, added, done, leftOut }: ImportResult,
  channel: string,
): string[] {
  const { older, images, files } = leftOut;
  return [
    isDone
      ? `En «${channel}» hay ${numberText(done)} mensajes, ${numberText(added)} de ahora. El canal está cerrado: ábrelo desde su página.`
      : `Se ha parado con ${numberText(done)} mensajes en «${channel}». La misma orden sigue donde se quedó.`,
    ...(older > 0 ? [`Anteriores a lo que ya había, y por eso fuera: ${numberText(older)}`] : []),
    ...(images > 0 ? [`Imágenes que no se pudieron abrir: ${numberText(images)}`] : []),
    ...(files > 0 ? [`Archivos que no se admiten: ${numberText(files)}`] : []),
  ];
}
