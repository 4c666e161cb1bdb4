import { type Problem, type ProblemCode, problems } from '../../shared/errors.ts';
import type { Decision } from '../../shared/moderation.ts';

export interface FieldError {
  field: string;
  /** Spanish text shown beside the field. */
  message: string;
}

/** An expected failure of a request, sent as problem+json. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly detail: string | undefined;
  readonly decision: Decision | undefined;
  readonly until: string | null | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    more: {
      errors?: FieldError[];
      detail?: string;
      /** The earlier decision, for `already_decided`. */
      decision?: Decision;
      /** When the restriction ends; null when it has no end. */
      until?: string | null;
      headers?: Record<string, string>;
      /** Logged, never sent. */
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.detail = more.detail;
    this.decision = more.decision;
    this.until = more.until;
    this.headers = more.headers ?? {};
  }

  /** @param requestId identifies the response in the log */
  toProblem(requestId: string): Problem {
    const { status, title, detail } = problems[this.code];
    return {
      type: `/api/docs#${this.code}`,
      title,
      status,
      code: this.code,
      detail: this.detail ?? detail,
      instance: `urn:uuid:${requestId}`,
      ...(this.errors ? { errors: this.errors } : {}),
      ...(this.decision ? { decision: this.decision } : {}),
      ...(this.until === undefined ? {} : { until: this.until }),
    };
  }
}

/** Media type of error responses other than pages for browsers. */
export const problemType = 'application/problem+json; charset=utf-8';

/** Creates an error with status 503 and `Retry-After`. */
export function unavailableError(): ApiError {
  return new ApiError('unavailable', { headers: { 'retry-after': '5' } });
}
