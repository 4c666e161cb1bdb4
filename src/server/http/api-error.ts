import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, type ProblemCode, problems } from '../../shared/errors.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { storageTrouble } from '../database/storage-errors.ts';
import { errorPage, errorPageHeaders } from '../pages/error-page.ts';
import { isNavigation } from './page-requests.ts';
import { fieldMessages } from './schema-messages.ts';

export interface FieldError {
  field: string;
  /** Spanish, for the person who filled the field in. */
  message: string;
}

/** An expected "no": thrown anywhere below a route, answered as problem+json. */
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

  /** @param requestId names this one refusal, in the log too */
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

/** Media type of every refusal but those that a browser shows as a page. */
export const problemType = 'application/problem+json; charset=utf-8';

/** A page for people who open an address in a browser, problem+json for programs. */
export function sendRefusal(reply: FastifyReply, refusal: ApiError): FastifyReply {
  const problem = refusal.toProblem(reply.request.id);
  reply.code(problem.status).headers({ 'cache-control': 'no-store', ...refusal.headers });
  if (isNavigation(reply.request)) return reply.headers(errorPageHeaders).send(errorPage(problem));
  return reply.type(problemType).serializer(JSON.stringify).send(problem);
}

/** The one place where anything thrown becomes an answer. Only what is our own fault is logged as error. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toApiError(error);
  if (refusal.code === 'internal_error') request.log.error({ err: error }, 'request failed');
  if (storageTrouble(error)) request.log.error({ err: error }, 'the disk or the database fails');
  return sendRefusal(reply, refusal);
}

/** "Not now": tells the caller when to come back. */
export function unavailableError(): ApiError {
  return new ApiError('unavailable', { headers: { 'retry-after': '5' } });
}

function toApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable) return unavailableError();
  const trouble = storageTrouble(error);
  if (trouble === 'storage_full')
    return new ApiError(trouble, { headers: { 'retry-after': '60' } });
  if (trouble) return unavailableError();
  if (error.validation) {
    const field = error.validationContext === 'body' ? 'invalid_fields' : 'invalid_request';
    return new ApiError(field, { errors: fieldMessages(error.validation) });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('too_large');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError('unsupported_media_type');
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('invalid_request');
  }
  return new ApiError('internal_error');
}
