import type { DeletedContent } from '../../src/shared/account-settings.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { pageRoutes, searchUrl, withQuery } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { answeredDates } from './dated-comment.ts';
import { decideRow } from './decide-row.ts';
import type { Forum, Person } from './forum.ts';
import { hideContent } from './moderators.ts';

/** Name of the person who leaves traces. */
export const tracedName = 'Zoraida Quintanar';
const at = `@${tracedName}`;

/** Lets a person leave data everywhere: texts, mentions by others, replies, an image, answers to dates. */
export async function leaveTraces(forum: Forum, email: string) {
  const zoraida = await forum.person(tracedName, email);
  const berta = await forum.person('Berta');
  const upload = async (owner: Person, width: number, use: string) => {
    const png = await quarters(width, 160).png().toBuffer();
    const stored = await forum.upload(owner, png, { use, filename: `${use}-${width}.png` });
    const { fullPath } = (await stored.json()) as StoredFile;
    return `/files/${fullPath}`;
  };
  const img = await upload(zoraida, 200 + Math.floor(Math.random() * 1000), 'avatar');
  await forum.json('PUT', apiRoutes.updateImage, { token: zoraida.token, body: { img } });
  const own = await forum.channel(zoraida, 'Solo mío');
  await forum.comment(zoraida, own._id, 'Nadie más escribe');
  const shared = await forum.channel(zoraida, 'De las dos');
  await forum.comment(zoraida, shared._id, 'Hola, Berta');
  const mention = (start: number) => ({ start, length: at.length, accountId: zoraida.id });
  const bertas = (start: number) => ({ start, length: 6, accountId: berta.id });
  const write = (comment: string, more: object) => forum.comment(berta, shared._id, comment, more);
  await write(`Buenas ${at} y @Berta y ${at}.`, {
    mentions: [mention(7), bertas(7 + at.length + 3), mention(7 + at.length + 12)],
    replyTo: 1,
  });
  await write('La cito', { replyTo: 2 });
  await write(`Oculto ${at}`, { mentions: [mention(7)] });
  await write(`En la papelera ${at}`, { mentions: [mention(15)] });
  await write(`Antes ${at}`, { mentions: [mention(6)] });
  await write('Cito lo de antes', { replyTo: 6 });
  await forum.edit(berta, shared._id, 6, 'Ahora no');
  await hideContent(forum, `${shared._id}-4`);
  await forum.json('DELETE', apiRoutes.channelComment(shared._id, 5), { token: berta.token });
  await forum.json('PUT', apiRoutes.thanks(shared._id, 2), { token: zoraida.token });
  await forum.json('PUT', apiRoutes.reads, {
    token: zoraida.token,
    body: { channelId: shared._id, number: 3 },
  });
  await forum.json('POST', apiRoutes.reports, {
    token: zoraida.token,
    body: { kind: 'user', id: berta.id, reason: 'abuse', text: `Soy ${tracedName}` },
  });
  const decided = { action: 'silence', accountId: zoraida.id, until_ms: 0 } as const;
  await decideRow(forum, { ...decided, reason: `Callad a ${tracedName}` });
  const rehearsals = await forum.channel(berta, 'Ensayos');
  await answeredDates(forum, berta, rehearsals._id, [zoraida, berta]);
  return { zoraida, berta, own, shared, rehearsals, img };
}

export async function askForDeletion(
  forum: Forum,
  person: Person,
  content: DeletedContent,
): Promise<void> {
  const body = { currentPassword: person.password, content };
  await forum.json('DELETE', apiRoutes.me, { token: person.token, body });
}

/** Reads the pages and API responses that contained the name before the account was deleted. */
export async function readAll(forum: Forum, shared: Channel): Promise<string> {
  const texts: string[] = [];
  for (const url of [
    pageRoutes.home,
    pageRoutes.channel(shared._id),
    searchUrl({ q: 'Zoraida' }),
    apiRoutes.channels,
    apiRoutes.channelComments(shared._id),
    withQuery(apiRoutes.search, { q: 'berta' }),
    withQuery(apiRoutes.search, { q: 'eliminada' }),
  ]) {
    texts.push(await (await forum.call('GET', url)).text());
  }
  return texts.join('\n');
}
