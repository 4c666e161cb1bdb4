import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { IdempotentRequest } from '../database/idempotency.ts';

/** Headers schema of routes that accept an idempotency key. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,200}$',
      maxLength: 200,
      description:
        'La elige el cliente, una para cada operación, que se hace una sola vez aunque se repita el envío.',
    }),
  ),
});

/** Builds the idempotent request; undefined when the client sent no key. */
export function idempotentRequest(
  accountId: string,
  request: FastifyRequest<{ Headers: { 'idempotency-key'?: string }; Body: object }>,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const hash = createHash('sha256')
    .update(`${request.routeOptions.url}\n${JSON.stringify(request.body)}`)
    .digest('base64url');
  return { accountId, key, hash };
}
