import type { Locator, Page } from '@playwright/test';
import type { Channel } from '../../src/shared/channels.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { writeComments } from './comments.ts';
import { openChannel } from './community.ts';
import type { OpenAs } from './fixtures.ts';

/** The button on a comment that opens the reply form below it. */
export function replyButton(page: Page, number: number): Locator {
  return page.getByRole('button', { name: new RegExp(`^Responder: n\\.º ${number}, `) });
}

/** The open reply forms. */
export function replyForm(page: Page): Locator {
  return page.getByRole('form', { name: 'Escribe tu respuesta' });
}

export function replyField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Escribe tu respuesta' });
}

export function sendReplyButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Enviar', exact: true });
}

/** The links to originals, in published replies and in forms. */
export function replyLines(page: Page): Locator {
  return page.getByRole('link', { name: /^En respuesta a / });
}

export function commentShown(page: Page, number: number): Locator {
  return page.locator(`#comentario-${number}`);
}

/** Selects the first occurrence of a text in a comment. */
export async function select(page: Page, number: number, text: string): Promise<void> {
  await commentShown(page, number)
    .locator('[dir="auto"]')
    .first()
    .evaluate((element, part) => {
      const node = element.firstChild;
      const start = node?.textContent?.indexOf(part) ?? -1;
      if (!node || start < 0) throw new Error('the text is not there');
      getSelection()?.setBaseAndExtent(node, start, node, start + part.length);
    }, text);
}

/** A channel with these comments by its author. */
export async function channelWith(
  forum: Forum,
  texts: string[],
): Promise<{ ana: Person; channel: Channel }> {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, texts);
  return { ana, channel };
}

/** The same, and its page, opened by the author. */
export async function openChannelWith(
  { forum, openAs }: { forum: Forum; openAs: OpenAs },
  texts: string[],
): Promise<{ ana: Person; channel: Channel; page: Page }> {
  const { ana, channel } = await channelWith(forum, texts);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  return { ana, channel, page };
}
