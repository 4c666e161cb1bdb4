import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { account, bodyTexts, createUpload } from '../../../test/attacks/sent-texts.ts';
import { readDescription } from '../../../test/forum/api-description.ts';
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
const comment = (text: string) => send('PUT', apiRoutes.comment, { id: channelId, comment: text });
/** Checks that the field is refused with this message alone. */
async function expectRefusal(response: Response, field: string, message: string, what = field) {
  const { errors } = await expectProblem(response, 400, 'invalid_fields');
  assert.deepEqual(errors, [{ field, message }], what);
}

test('every text of a query, header or body has a maximum length', async () => {
  interface Operation {
    requestBody?: object;
    parameters?: { in: string }[];
  }
  const unbounded: string[] = [];
  let texts = 0;
  /** Collects the unbounded texts in a schema, except enumerations. */
  const walk = (at: string, schema: unknown) => {
    if (!(schema instanceof Object)) return;
    const { type, maxLength, ...rest } = schema as { type?: string; maxLength?: number };
    const isText = type === 'string' && !('const' in rest || 'enum' in rest);
    if (isText) texts++;
    if (isText && maxLength === undefined) unbounded.push(at);
    for (const [key, value] of Object.entries(rest)) walk(`${at}.${key}`, value);
  };
  const { paths } = await readDescription<Record<string, Record<string, Operation>>>(forum);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, parameters = [] }] of Object.entries(methods)) {
      // The router limits the length of path parameters.
      const others = parameters.filter((one) => one.in !== 'path');
      walk(`${method} ${path}`, [requestBody, others]);
    }
  }
  assert.deepEqual(unbounded, []);
  assert.ok(texts > 100, `${texts} texts`);
});

test('names the field of a text far beyond its limit, or with half a surrogate pair', async () => {
  for (const [label, maxChars, sendText] of bodyTexts(forum, person)) {
    const [field = ''] = label.split(' ');
    const tooLong = 'Es demasiado largo. Acórtalo.';
    await expectRefusal(await sendText('a'.repeat(maxChars + 1)), field, tooLong, label);
    // Other routes look for the account or its password first.
    if (!/ POST \/api\/(channels|auth\/sign-up)$/.test(label)) continue;
    for (const bad of ['/files/images/a\ud800', 'https://ejemplo.es/\udc00', 'a\ud800\ud800b']) {
      const { errors } = await expectProblem(await sendText(bad), 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((one) => one.field),
        [field],
        label,
      );
    }
  }
});

test('says which fields are missing and which have a wrong type', async () => {
  const response = await send('POST', apiRoutes.signUp, { name: 7, password: 'x' });
  const { errors } = await expectProblem(response, 400, 'invalid_fields');
  assert.deepEqual(errors, [
    { field: 'email', message: 'Este campo es obligatorio.' },
    { field: 'name', message: 'Este valor no es válido.' },
  ]);
});

test('says how long a text just over its limit is, and accepts one within it in every normal form', async () => {
  const message = 'Como mucho 10\u00a0000 caracteres; ahora tiene 10\u00a0001.';
  await expectRefusal(await comment('a'.repeat(limits.commentChars + 1)), 'comment', message);
  // The first character decomposes into the most characters, the second takes the most bytes.
  for (const text of ['ᾂ'.repeat(limits.commentChars), '각'.repeat(limits.commentChars)]) {
    const response = await comment(text.normalize('NFD'));
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as Comment).comment, text);
  }
});

test('refuses more than a hundred combining marks in a row', async () => {
  const marks = (count: number) => comment(`e${'\u0316\u0301'.repeat(count / 2)}`);
  assert.equal((await marks(limits.marksInARow)).status, 200);
  const message = 'Lleva demasiadas marcas, como acentos, sobre una letra. Quita algunas.';
  await expectRefusal(await marks(limits.marksInARow + 2), 'comment', message);
});

test('accepts a password of 1024 bytes in every normal form, and refuses one of more, at sign-in too', async () => {
  const password = `${'각'.repeat(341)}a`;
  const body = { ...account, email: 'sejong@ejemplo.es', password: password.normalize('NFD') };
  assert.equal((await send('POST', apiRoutes.signUp, body)).status, 201);
  assert.equal((await forum.signIn(body.email, body.password)).status, 200);

  const tooLong = '\u0f73'.repeat(1366);
  const signUp = await send('POST', apiRoutes.signUp, { ...account, password: tooLong });
  await expectRefusal(signUp, 'password', 'Es demasiado larga: como mucho, 1024 bytes.');
  await expectProblem(await forum.signIn(person.email, tooLong), 401, 'wrong_credentials');
});

test('refuses an upload whose file name is too long', async () => {
  assert.equal((await createUpload(forum, person, 'a'.repeat(limits.fileNameChars))).status, 201);
  const response = await createUpload(forum, person, 'a'.repeat(limits.fileNameChars + 1));
  const { detail } = await expectProblem(response, 400, 'invalid_upload');
  assert.match(detail, /^El nombre del archivo es demasiado largo/);
});
