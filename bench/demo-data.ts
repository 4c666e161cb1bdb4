import { readDemoChannels } from '../scripts/demo/content.ts';
import { DemoClient } from '../scripts/demo/demo-client.ts';
import { drawCover } from '../scripts/demo/images.ts';
import { demoPeople } from '../scripts/demo/people.ts';
import { assetRoutes } from '../src/shared/routes.ts';
import { pick } from './pick.ts';
import { startServer, temporaryFolder } from './server.ts';

const channelCount = 50;
export const commentsEach = 20;

export interface DemoData {
  /** To be copied, never served from. */
  folder: string;
  channelIds: string[];
  /** What people of the demo are signed in with. */
  tokens: string[];
  /** Of the demo's comments, to write further ones with. */
  texts: string[];
  remove(): Promise<void>;
}

/** Fifty channels of twenty comments each, written by the people of the demo in their words. */
export async function makeDemoData(): Promise<DemoData> {
  const { folder, remove } = await temporaryFolder();
  const server = await startServer(folder);
  const client = new DemoClient(`http://127.0.0.1:${server.port}`);
  const tokens = new Map(
    await Promise.all(demoPeople.map(async (person) => [person.key, await join(person)] as const)),
  );
  const tokenOf = (key: string) => tokens.get(key) ?? '';
  const contents = readDemoChannels();
  const covers = new Map(
    await Promise.all(
      contents.map(async ({ slug, author, coverSeed }) => {
        const image = await drawCover(slug, coverSeed);
        const { downloadURL } = await client.upload(tokenOf(author), 'cover', image);
        return [slug, downloadURL] as const;
      }),
    ),
  );
  const comments = contents.flatMap((content) => content.comments);

  const channelIds = await Promise.all(
    Array.from({ length: channelCount }, async (_, index) => {
      const { name, description, author, slug } = pick(contents, index);
      const cover = covers.get(slug) ?? '';
      const { _id } = await client.createChannel(tokenOf(author), { name, description, cover });
      for (let i = 0; i < commentsEach; i++) {
        const comment = pick(comments, index * commentsEach + i);
        await client.comment(tokenOf(comment.author), _id, comment.text);
      }
      return _id;
    }),
  );
  await server.stop();
  const texts = comments.map(({ text }) => text);
  return { folder, channelIds, tokens: [...tokens.values()], texts, remove };

  async function join({ name, email }: { name: string; email: string }): Promise<string> {
    const password = 'una-tarde-de-tertulia';
    await client.signUp({ name, email, password, img: assetRoutes.defaultAvatar });
    return (await client.signIn(email, password)).token;
  }
}
