import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { classifyStorageError, DatabaseUnavailable, InvalidCursor } from './database/errors.ts';
import { ApiError, problemType, unavailableError } from './http/api-error.ts';
import { isNavigation } from './http/page-requests.ts';
import { fieldMessages } from './http/schema-messages.ts';
import { StoreUnavailable } from './images/stores/errors.ts';
import { errorPage } from './pages/error-page.ts';
import { smallPageHeaders } from './pages/small-page.ts';
import { ObjectNotFound } from './system/missing.ts';

/**
 * Turns every thrown value into a response: an HTML page when a browser navigates, problem+json
 * otherwise. Only `internal_error` and storage failures are logged as errors.
 */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const apiError = toApiError(error);
  if (apiError.code === 'internal_error') request.log.error({ err: error }, 'request failed');
  if (classifyStorageError(error))
    request.log.error({ err: error }, 'the disk or the database fails');
  const problem = apiError.toProblem(request.id);
  // These headers describe a file that could not be read.
  for (const name of ['etag', 'content-range']) reply.removeHeader(name);
  reply.code(problem.status).headers({ 'cache-control': 'no-store', ...apiError.headers });
  if (isNavigation(request)) return reply.headers(smallPageHeaders).send(errorPage(problem));
  return reply.type(problemType).serializer(JSON.stringify).send(problem);
}

function toApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error;
  return (
    storageErrorToApiError(error) ?? requestErrorToApiError(error) ?? new ApiError('internal_error')
  );
}

function storageErrorToApiError(error: Error): ApiError | undefined {
  if (error instanceof DatabaseUnavailable) return unavailableError();
  if (error instanceof InvalidCursor) return new ApiError('invalid_cursor');
  if (error instanceof ObjectNotFound) return new ApiError('file_not_found');
  if (error instanceof StoreUnavailable) {
    return new ApiError('unavailable', {
      detail: 'El almacén de imágenes no responde ahora. Vuelve a intentarlo en un momento.',
      headers: { 'retry-after': '10' },
    });
  }
  const failure = classifyStorageError(error);
  if (failure === 'storage_full') {
    return new ApiError('storage_full', { headers: { 'retry-after': '60' } });
  }
  return failure && unavailableError();
}

function requestErrorToApiError(error: FastifyError): ApiError | undefined {
  if (error.validation) {
    const code = error.validationContext === 'body' ? 'invalid_fields' : 'invalid_request';
    return new ApiError(code, { errors: fieldMessages(error.validation) });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('too_large');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError('unsupported_media_type');
  }
  const isClientError = error.statusCode !== undefined && error.statusCode < 500;
  return isClientError ? new ApiError('invalid_request') : undefined;
}
