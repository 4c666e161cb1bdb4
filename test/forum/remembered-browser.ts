import type { SignedIn } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { CallOptions, ForumClient, Person } from './forum-client.ts';

/** A browser with a cookie jar, on a page of the forum. */
export class RememberedBrowser {
  /** The header that it sends to `/api/auth/resume`; empty without a cookie. */
  cookie = '';
  /** `Set-Cookie` of the last response; empty without one. */
  setCookie = '';
  /** The account that it has noted as its own. */
  accountId = '';
  readonly #forum: ForumClient;
  readonly #userAgent: string | undefined;

  constructor(forum: ForumClient, userAgent?: string) {
    this.#forum = forum;
    this.#userAgent = userAgent;
  }

  /** Signs in, with or without being remembered. @returns the token */
  async signIn(
    { email, password }: Pick<Person, 'email' | 'password'>,
    remember = true,
  ): Promise<string> {
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    const response = await this.call('POST', apiRoutes.signIn, {
      headers: { authorization: `Basic ${basic}` },
      ...(remember ? { body: { remember } } : {}),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { token, user } = (await response.json()) as SignedIn;
    this.accountId = user.id;
    return token;
  }

  /** @param headers replace the browser's own */
  resume(headers: Record<string, string> = {}): Promise<Response> {
    const { accountId } = this;
    return this.call('POST', apiRoutes.resume, { body: { accountId }, headers });
  }

  async resumed(): Promise<string> {
    const response = await this.resume();
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { token: string }).token;
  }

  forget(headers: Record<string, string> = {}): Promise<Response> {
    return this.call('DELETE', apiRoutes.resume, { headers });
  }

  /** A browser with the same cookie and note, at this or another server. */
  copy(forum = this.#forum): RememberedBrowser {
    const { cookie, accountId } = this;
    return Object.assign(new RememberedBrowser(forum, this.#userAgent), { cookie, accountId });
  }

  async call(method: string, url: string, options: CallOptions): Promise<Response> {
    const response = await this.#forum.call(method, url, {
      ...options,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(this.#userAgent ? { 'user-agent': this.#userAgent } : {}),
        ...(this.cookie && url === apiRoutes.resume ? { cookie: this.cookie } : {}),
        ...options.headers,
      },
    });
    this.setCookie = response.headers.get('set-cookie') ?? '';
    const pair = this.setCookie.split(';', 1)[0] ?? '';
    if (this.setCookie !== '') this.cookie = pair.endsWith('=') ? '' : pair;
    return response;
  }
}
