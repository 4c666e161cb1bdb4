import { dot } from '../ui/texts.ts';

const kilobyte = 1024;
export const megabyte = 1024 * kilobyte;

/** '340 kB', '3,4 MB' */
export function sizeText(bytes: number): string {
  return amountText(bytes, bytes);
}

/** '1,2 MB de 3,4 MB · 35 %' */
export function progressText(sent: number, total: number): string {
  return `${amountText(sent, total)} de ${sizeText(total)}${dot}${percentOf(sent, total)}\u00a0%`;
}

export function percentOf(bytes: number, total: number): number {
  return total === 0 ? 0 : Math.floor((bytes / total) * 100);
}

/** @param whole the amount that determines the unit */
function amountText(bytes: number, whole: number): string {
  if (whole < megabyte) return `${Math.ceil(bytes / kilobyte)}\u00a0kB`;
  return `${(bytes / megabyte).toFixed(1).replace('.', ',')}\u00a0MB`;
}
