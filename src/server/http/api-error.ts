import { type Problem, type ProblemCode, problems } from '../../shared/errors.ts';

export interface FieldError {
  field: string;
  /** Spanish, for the person who filled the field in. */
  message: string;
}

/** An expected failure: thrown anywhere below a route, answered as problem+json. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly detail: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    more: {
      errors?: FieldError[];
      detail?: string;
      headers?: Record<string, string>;
      /** For the log only. */
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.detail = more.detail;
    this.headers = more.headers ?? {};
  }

  /** @param requestId identifies this response; it is in the log too */
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
    };
  }
}

/** Media type of every error response but those that a browser shows as a page. */
export const problemType = 'application/problem+json; charset=utf-8';

/** 503 with `Retry-After`. */
export function unavailableError(): ApiError {
  return new ApiError('unavailable', { headers: { 'retry-after': '5' } });
}
