import { readDescription } from './api-description.ts';
import type { ForumClient, Person } from './forum-client.ts';

interface Described {
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    schema: {
      enum?: string[];
      /** What a text contains, such as the metadata of an upload. */
      contentSchema?: { properties: Record<string, object>; required: string[] };
    };
  }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
type Paths = Record<string, Record<string, Described>>;

/** A value of a header, or values by the names that the description says its text contains. */
type HeaderValue = string | Record<string, string>;

/** Calls the API as the description says; fails when it sends what the description does not name, or omits something. */
export class DescribedClient {
  readonly #client: ForumClient;
  readonly #token: string;
  readonly #paths: Paths;

  private constructor(client: ForumClient, token: string, paths: Paths) {
    this.#client = client;
    this.#token = token;
    this.#paths = paths;
  }

  static async open(client: ForumClient, { token }: Person): Promise<DescribedClient> {
    const { paths } = await readDescription<Paths>(client);
    return new DescribedClient(client, token, paths);
  }

  operations(): Described[] {
    return Object.values(this.#paths).flatMap((methods) => Object.values(methods));
  }

  /** Paths below `/api/` and this word, the shortest first. */
  pathsOf(word: string): string[] {
    const paths = Object.keys(this.#paths).filter((path) => path.split('/')[2] === word);
    return paths.toSorted((a, b) => a.length - b.length);
  }

  typesOf(method: string, path: string, status: string): string[] {
    return Object.keys(this.#operation(method, path).responses[status]?.content ?? {});
  }

  /** The schema of a JSON response. */
  schemaOf(method: string, path: string, status: string): object {
    const { responses } = this.#operation(method, path);
    return responses[status]?.content?.['application/json']?.schema ?? {};
  }

  /** @param at the address, when it is that of one thing */
  async call(
    method: string,
    path: string,
    {
      at = path,
      headers = {},
      body,
    }: { at?: string; headers?: Record<string, HeaderValue>; body?: Uint8Array } = {},
  ): Promise<Response> {
    const operation = this.#operation(method, path);
    const fixed = operation.parameters?.filter((one) => one.schema.enum?.length === 1) ?? [];
    const all = {
      ...Object.fromEntries(fixed.map(({ name, schema }) => [name, schema.enum?.[0] ?? ''])),
      ...headers,
    };
    const described = (operation.parameters ?? []).filter((one) => one.in === 'header');
    const missing = described.filter(({ name, required }) => required && !(name in all));
    if (missing.length > 0) throw new Error(`${method} ${path} lacks ${JSON.stringify(missing)}`);
    const sent = Object.entries(all).map(([name, value]): [string, string] => {
      const parameter = described.find((one) => one.name === name);
      if (!parameter) throw new Error(`${method} ${path} has no header ${name}`);
      return [name, typeof value === 'string' ? value : encoded(value, parameter.schema)];
    });
    const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
    const response = await this.#client.call(method.toUpperCase(), at, {
      token: this.#token,
      headers: { ...Object.fromEntries(sent), ...(body && { 'content-type': type }) },
      ...(body && { body }),
    });
    const statuses = [String(response.status), `${String(response.status)[0]}XX`];
    if (statuses.some((status) => status in operation.responses)) return response;
    throw new Error(`${method} ${path} does not describe ${response.status}`);
  }

  #operation(method: string, path: string): Described {
    const operation = this.#paths[path]?.[method];
    if (!operation) throw new Error(`The description has no ${method} ${path}`);
    return operation;
  }
}

/** Encodes the metadata of a tus upload, whose names the description gives. */
function encoded(
  values: Record<string, string>,
  { contentSchema }: NonNullable<Described['parameters']>[number]['schema'],
): string {
  const { properties = {}, required = [] } = contentSchema ?? {};
  const missing = required.filter((name) => !(name in values));
  const unknown = Object.keys(values).filter((name) => !(name in properties));
  if (missing.length + unknown.length > 0) throw new Error([...missing, ...unknown].join(', '));
  const pairs = Object.entries(values).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
  );
  return pairs.join(',');
}
