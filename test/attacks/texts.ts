import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { type Attack, countStatuses, read } from './target.ts';

const reorderedMarks = '\u0327\u0301\u0316'.repeat(40_000);

/** Sends names, e-mails and passwords of maximum body length, with combining marks that normalization must sort. */
export const longTexts: Attack = async ({ client, person }) =>
  countStatuses(
    await Promise.all(
      [
        { url: apiRoutes.signUp, body: { name: reorderedMarks, email: 'a@b.es', password: 'a' } },
        { url: apiRoutes.signUp, body: { name: 'Ana', email: reorderedMarks, password: 'a' } },
        { url: apiRoutes.setPassword, body: { token: 'a', password: 'a'.repeat(160_000) } },
        { url: apiRoutes.channels, body: { name: 'a', description: reorderedMarks, cover: 'a' } },
      ].map(({ url, body }) => read(client.call('POST', url, { body, token: person.token }))),
    ),
    400,
  );

/** Requests a page of comments that are one link with thousands of dots and brackets. */
export const dottedLinks: Attack = async ({ client, person }) => {
  const channel = await client.channel(person);
  for (let i = 0; i < 20; i++) {
    await client.comment(person, channel._id, `http://a${'.'.repeat(2000)}x${')'.repeat(2000)}`);
  }
  return countStatuses([await read(client.call('GET', pageRoutes.channel(channel._id)))], 200);
};
