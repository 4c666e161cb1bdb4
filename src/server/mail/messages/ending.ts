import { html } from './html.ts';
import type { Part } from './parts.ts';
import { shortName } from './short-line.ts';

/** The recipient of a mail that can be unsubscribed from, and the links to get fewer or none. */
export interface Ending {
  name: string;
  settingsLink: string;
  unsubscribeLink: string;
}

/**
 * Says why the recipient gets the message, and how to get fewer or none.
 * @param who continues "who …"
 */
export function endOf(
  { name, settingsLink, unsubscribeLink }: Ending,
  who: string,
  [fewer, none]: [string, string],
): Part {
  const owner = shortName(name, 80);
  return {
    text: [
      `Este correo es para ${owner}, que ${who}.`,
      `${fewer}: ${settingsLink}`,
      `${none}: ${unsubscribeLink}`,
    ].join('\n'),
    html: html`<p>Este correo es para <bdi>${owner}</bdi>, que ${who}.<br>
<a href="${settingsLink}">${fewer}</a> · <a href="${unsubscribeLink}">${none}</a></p>`,
  };
}
