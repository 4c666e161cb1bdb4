import { pageRoutes } from '../../../shared/routes.ts';

/** Fragment of `firstChannelUrl`. */
export const exampleAnchor = 'ejemplo';
/** URL of the form for a new channel, filled in with an example. */
export const firstChannelUrl = `${pageRoutes.create}#${exampleAnchor}`;
