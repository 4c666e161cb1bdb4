import Type from 'typebox';
import { assetRoutes } from '../../../shared/routes.ts';
import type { App } from '../../http/app-type.ts';
import { azulejo } from './azulejo.ts';
import { drawAzulejo, drawAzulejoCard } from './draw-azulejo.ts';

const caching = 'public, max-age=31536000, immutable';

/** Routes for tile patterns, shown for channels without a cover. A seed always gives the same pattern. */
export function azulejoRoutes(app: App): void {
  app.get(
    assetRoutes.azulejo(':seed'),
    {
      schema: { hide: true, params: Type.Object({ seed: Type.String() }) },
    },
    (request, reply) =>
      reply
        .header('cache-control', caching)
        .type('image/svg+xml')
        .send(azulejo(request.params.seed)),
  );

  for (const [path, type, draw] of [
    [assetRoutes.azulejoImage(':seed'), 'image/png', drawAzulejo],
    [assetRoutes.azulejoCard(':seed'), 'image/jpeg', drawAzulejoCard],
  ] as const) {
    app.get(
      path,
      {
        schema: {
          hide: true,
          params: Type.Object({ seed: Type.String({ pattern: '^[\\w-]{1,64}$' }) }),
        },
      },
      async (request, reply) => {
        const image = await draw(request.params.seed);
        return reply.header('cache-control', caching).type(type).send(image);
      },
    );
  }
}
