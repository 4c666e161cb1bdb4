import Type from 'typebox';
import { assetRoutes } from '../../shared/routes.ts';
import type { App } from '../http/app-type.ts';
import { azulejo } from './azulejo.ts';

/** Tile patterns for channels without a cover. A seed always gives the same pattern. */
export function azulejoRoutes(app: App): void {
  app.get(
    assetRoutes.azulejo(':seed'),
    {
      schema: { hide: true, params: Type.Object({ seed: Type.String() }) },
    },
    (request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/svg+xml')
        .send(azulejo(request.params.seed)),
  );
}
