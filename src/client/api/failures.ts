import type { Problem } from '../../shared/errors.ts';
import { fullTime } from '../time/time-words.ts';

/** Why a call failed: the server's problem, or null when no readable response came. */
export interface Failure {
  problem: Problem | null;
  /** Whether the call timed out. */
  isLate?: boolean;
  /** Whether the response had a status of 500 or more, the server's or a proxy's. */
  isServerError?: boolean;
}
export type Result<T> = { ok: true; value: T } | ({ ok: false } & Failure);

export const failureTexts = {
  offline: 'No hay conexión con el servidor. Comprueba tu red y vuelve a intentarlo.',
  serverError: 'Ahora mismo hay un problema en el servidor. Vuelve a intentarlo en un momento.',
  late: 'El servidor tarda demasiado en responder. Vuelve a intentarlo en un momento.',
  passkey: 'El navegador no pudo usar llaves de acceso aquí. Usa tu contraseña.',
} as const;

/** The message to show for a failure. */
export function failureText({ problem, isLate, isServerError }: Failure): string {
  if (problem) return problemText(problem);
  if (isLate) return failureTexts.late;
  return isServerError ? failureTexts.serverError : failureTexts.offline;
}

/** The message of a problem, with the end of a restriction in the reader's time zone. */
export function problemText({ detail, until }: Problem): string {
  return until ? `${detail} Dura hasta el ${fullTime(until)}.` : detail;
}

/** Why something was refused: the message for its first wrong field, or for the whole. */
export function refusalText(failure: Failure): string {
  return failure.problem?.errors?.[0]?.message ?? failureText(failure);
}

/** The message for one field of a form, if the server has one. */
export function fieldError(failure: Failure | null, field: string): string | undefined {
  return failure?.problem?.errors?.find((error) => error.field === field)?.message;
}

/** The problem in a response body, or null for other bodies, such as a proxy's error page. */
export function toProblem(body: unknown): Problem | null {
  const { code, detail } = Object(body);
  return code && typeof detail === 'string' ? (body as Problem) : null;
}

/** Statuses of requests that were not processed, and can be sent again under their idempotency key. */
const passingStatuses = [401, 408, 429];

/**
 * Whether the server has rejected the request for good. Without a response, or after a server error, the
 * request may have been carried out.
 */
export function isRefused({ problem }: Failure): boolean {
  if (!problem) return false;
  return problem.status < 500 && !passingStatuses.includes(problem.status);
}
