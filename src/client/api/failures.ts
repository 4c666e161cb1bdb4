import type { Problem } from '../../shared/errors.ts';
import { fieldsOf } from '../../shared/fields-of.ts';
import { fullTime } from '../dom/time-words.ts';

interface FailureDetails {
  isLate?: boolean;
  /** The status of a response by the server or a proxy; 0 without a response. */
  answered?: number;
}

/** The field that each of these error codes is about. */
const fieldOfCode: Partial<Record<string, string>> = {
  email_taken: 'email',
  name_changed_recently: 'name',
  wrong_password: 'currentPassword',
};

/** Statuses of requests that were not processed and can be resent under the same idempotency key. */
const passingStatuses = [401, 408, 429];

/** Why a call failed or a form was not sent. */
export class Failure extends Error {
  /** The server's problem, or null without a readable response. */
  readonly problem: Problem | null;
  readonly code: string | undefined;
  /** The problem's status; 0 without one. */
  readonly status: number;
  /** Whether a proxy refused the request: its response is not one of the server's problems. */
  readonly isRefusedByProxy: boolean;
  /** Whether the server, or a proxy for it, answered that it has failed (5xx). */
  readonly hasServerFailed: boolean;
  /** Error messages for form fields. */
  readonly fields: { field: string; message: string }[];
  /** The text to show: the message for the first invalid field, or else for the whole request. */
  readonly text: string;

  constructor(problem: Problem | null, details: FailureDetails = {}) {
    const { answered = 0 } = details;
    const isRefusal = answered > 399 && answered < 500 && !passingStatuses.includes(answered);
    super(problem ? problemText(problem) : noAnswerText(details, isRefusal));
    const { code = '', status = 0, errors } = problem ?? {};
    const field = fieldOfCode[code];
    this.problem = problem;
    this.code = code || undefined;
    this.status = status;
    this.isRefusedByProxy = !problem && isRefusal;
    this.hasServerFailed = (status || answered) >= 500;
    this.fields = field ? [{ field, message: this.message }] : (errors ?? []);
    this.text = this.fields[0]?.message ?? this.message;
  }

  /** Whether the page itself refused, without sending a request. */
  get isOwn(): boolean {
    return this.problem?.status === 0;
  }

  /** Whether the server may have carried out the request. */
  get isUnknown(): boolean {
    return !this.problem || this.status >= 500;
  }

  /**
   * Whether the server has rejected the request for good. Otherwise it may have been carried out, or can be
   * repeated.
   */
  get isRefused(): boolean {
    return !this.isUnknown && !passingStatuses.includes(this.status);
  }

  errorOf(field: string): string | undefined {
    return this.fields.find((error) => error.field === field)?.message;
  }
}

/** A failure of the page itself, without a request. */
export const ownFailure = (detail: string, errors: { field: string; message: string }[] = []) =>
  new Failure({ type: '', title: '', status: 0, instance: '', code: 'not_sent', detail, errors });

/** The value, or the `Failure` for callers that handle it. Other errors are thrown. */
export const orFailure = <Value>(answer: Promise<Value>): Promise<Value | Failure> =>
  answer.catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });

function noAnswerText({ isLate, answered = 0 }: FailureDetails, isRefusal: boolean): string {
  if (isRefusal)
    return 'No se ha aceptado la petición. Si se repite, avisa a quien administra el foro.';
  if (isLate) return 'El servidor tarda demasiado en responder. Vuelve a intentarlo en un momento.';
  return answered > 499
    ? 'Ahora mismo hay un problema en el servidor. Vuelve a intentarlo en un momento.'
    : 'No hay conexión con el servidor. Comprueba la conexión y vuelve a intentarlo.';
}

/** The problem's message, with the end of a restriction in the reader's time zone. */
export function problemText({ detail, until }: Problem): string {
  return until ? `${detail} Dura hasta el ${fullTime(until)}.` : detail;
}

/** The problem in a response body, or null for other bodies, such as a proxy's error page. */
export function toProblem(body: unknown): Problem | null {
  const { code, detail } = fieldsOf(body);
  return code && typeof detail === 'string' ? (body as Problem) : null;
}
