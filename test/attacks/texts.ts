import { apiRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { type Attack, read, told } from './target.ts';

const reorderedMarks = '\u0327\u0301\u0316'.repeat(40_000);

/** Names, e-mails and passwords as long as a body may be, of marks that have to be put in order. */
export const longTexts: Attack = async ({ client, person }) =>
  told(
    await Promise.all(
      [
        { url: apiRoutes.signUp, body: { name: reorderedMarks, email: 'a@b.es', password: 'a' } },
        { url: apiRoutes.signUp, body: { name: 'Ana', email: reorderedMarks, password: 'a' } },
        { url: apiRoutes.setPassword, body: { token: 'a', password: 'a'.repeat(160_000) } },
        { url: apiRoutes.channels, body: { name: 'a', description: reorderedMarks, cover: 'a' } },
      ].map(({ url, body }) => read(client.call('POST', url, { body, token: person.token }))),
    ),
  );

/** Comments that are one link with thousands of dots and brackets, on a page that is then read. */
export const dottedLinks: Attack = async ({ client, person }) => {
  const channel = await client.channel(person);
  for (let i = 0; i < 20; i++) {
    await client.comment(person, channel._id, `http://a${'.'.repeat(2000)}x${')'.repeat(2000)}`);
  }
  return told([await read(client.call('GET', pageRoutes.channel(channel._id)))]);
};
