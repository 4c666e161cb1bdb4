import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { account, bodyTexts, createUpload } from '../../../test/attacks/sent-texts.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';

let forum: Forum;
let person: Person;
let channelId: string;

before(async () => {
  forum = await Forum.start('sqlite');
  person = await forum.person();
  channelId = (await forum.channel(person))._id;
});
after(() => forum.stop());

const send = (method: string, url: string, body: object) =>
  forum.call(method, url, { token: person.token, body });

test('every text of a query, header or body has a maximum length', async () => {
  const { paths } = await forum.json<{ paths: Record<string, unknown> }>(
    'GET',
    '/api/openapi.json',
  );
  const unbounded: string[] = [];
  /** Collects the unbounded texts in a schema, except enumerations. */
  const walk = (at: string, schema: unknown) => {
    if (!(schema instanceof Object)) return;
    const { type, maxLength, ...rest } = schema as { type?: string; maxLength?: number };
    const isText = type === 'string' && !('const' in rest || 'enum' in rest);
    if (isText && maxLength === undefined) unbounded.push(at);
    for (const [key, value] of Object.entries(rest)) walk(`${at}.${key}`, value);
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      walk(`${method} ${path}`, operation.requestBody);
      // The router limits the length of path parameters.
      const inPath = ({ in: location }: { in: string }) => location === 'path';
      walk(
        `${method} ${path}`,
        operation.parameters?.filter((one) => !inPath(one)),
      );
    }
  }
  assert.deepEqual(unbounded, []);
});
interface Operation {
  requestBody?: object;
  parameters?: { in: string }[];
}

test('names the field of a text far beyond its limit', async () => {
  for (const [label, maxChars, sendText] of bodyTexts(forum, person)) {
    const response = await sendText('a'.repeat(maxChars + 1));
    const { errors } = await expectProblem(response, 400, 'invalid_fields');
    const expected = [{ field: label.split(' ')[0], message: 'Es demasiado largo. Acórtalo.' }];
    assert.deepEqual(errors, expected, label);
  }
});

test('reports the length of a text just over its limit', async () => {
  const text = 'a'.repeat(limits.commentChars + 1);
  const response = await send('PUT', apiRoutes.comment, { id: channelId, comment: text });
  const { errors } = await expectProblem(response, 400, 'invalid_fields');
  const message = 'Como mucho 10\u00a0000 caracteres; ahora tiene 10\u00a0001.';
  assert.deepEqual(errors, [{ field: 'comment', message }]);
});

test('accepts a text within its limit in every normal form', async () => {
  // The first character decomposes into the most characters, the second takes the most bytes.
  for (const text of ['ᾂ'.repeat(limits.commentChars), '각'.repeat(limits.commentChars)]) {
    const body = { id: channelId, comment: text.normalize('NFD') };
    const response = await send('PUT', apiRoutes.comment, body);
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as Comment).comment, text);
  }
  const password = '각'.repeat(341);
  const body = { ...account, email: 'sejong@ejemplo.es', password: password.normalize('NFD') };
  assert.equal((await send('POST', apiRoutes.signUp, body)).status, 201);
  assert.equal((await forum.signIn(body.email, body.password)).status, 200);
});

test('rejects more than a hundred combining marks in a row', async () => {
  const comment = (marks: number) =>
    send('PUT', apiRoutes.comment, {
      id: channelId,
      comment: `e${'\u0316\u0301'.repeat(marks / 2)}`,
    });
  assert.equal((await comment(limits.marksInARow)).status, 200);
  const { errors } = await expectProblem(
    await comment(limits.marksInARow + 2),
    400,
    'invalid_fields',
  );
  const message = 'Lleva demasiadas marcas, como acentos, sobre una letra. Quita algunas.';
  assert.deepEqual(errors, [{ field: 'comment', message }]);
});

test('rejects a password of too many bytes from every endpoint', async () => {
  const password = '\u0f73'.repeat(1366);
  const signUp = await send('POST', apiRoutes.signUp, { ...account, password });
  const { errors } = await expectProblem(signUp, 400, 'invalid_fields');
  assert.deepEqual(errors, [
    { field: 'password', message: 'Es demasiado larga: como mucho, 1024 bytes.' },
  ]);
  await expectProblem(await forum.signIn(person.email, password), 401, 'wrong_credentials');
});

test('rejects an upload with a file name that is too long', async () => {
  assert.equal((await createUpload(forum, person, 'a'.repeat(limits.fileNameChars))).status, 201);
  const response = await createUpload(forum, person, 'a'.repeat(limits.fileNameChars + 1));
  const { detail } = await expectProblem(response, 400, 'invalid_upload');
  assert.match(detail, /^El nombre del archivo es demasiado largo/);
});

test('responds 404 to a text in a path that is too long', async () => {
  const long = 'a'.repeat(3000);
  for (const url of [apiRoutes.channel(long), `/channel/${long}`, `/files/images/${long}`]) {
    assert.equal((await forum.call('GET', url)).status, 404, url.slice(0, 20));
  }
});
