/** The result of one check. `advice` could be improved; `fix` is a fault or will become one. */
export interface Finding {
  level: 'ok' | 'advice' | 'fix';
  subject: string;
  /** The result and, unless it is ok, what to do. */
  message: string;
}

const finding =
  (level: Finding['level']) =>
  (subject: string, message: string): Finding => ({ level, subject, message });
export const ok = finding('ok');
export const advice = finding('advice');
export const fix = finding('fix');
