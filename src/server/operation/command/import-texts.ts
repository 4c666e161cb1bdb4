import { leftOutLines, leftOutText } from '../../../shared/import-texts.ts';
import type { ChatSummary } from '../../../shared/moving-in.ts';
import { megabytesText, numberText } from '../../../shared/number-texts.ts';
import type { ImportResult } from '../../moving-in/import-chat.ts';

/** Lines that say what is in an exported chat. */
export function describeSummary(summary: ChatSummary): string[] {
  const { name, from, to, messages, people, attachments, dates } = summary;
  return [
    ...(name === '' ? [] : [`Grupo: ${name}`]),
    `Del ${from.replace('T', ' ')} al ${to.replace('T', ' ')}: ${numberText(messages)} comentarios`,
    `Imágenes y archivos: ${numberText(attachments.count)} (${megabytesText(Math.ceil(attachments.bytes / 1024 / 1024))})`,
    `Personas: ${people.map((one) => `${one.name} (${numberText(one.messages)})`).join(', ')}`,
    ...leftOutLines(summary),
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
  const lost = leftOutText(leftOut);
  return [
    isDone
      ? `En «${channel}» hay ${numberText(done)} mensajes, ${numberText(added)} de ahora. El canal está cerrado: ábrelo desde su página.`
      : `Se ha parado con ${numberText(done)} mensajes en «${channel}». La misma orden sigue donde se quedó.`,
    ...(lost ? [lost] : []),
  ];
}
