import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import Type from 'typebox';
import { schemaController } from './schema-compilers.ts';

const person = { name: 'Ana', secret: 'x', friends: [{ name: 'Eva', secret: 'y' }] };

async function ask(url: string) {
  const app = Fastify({ schemaController });
  const named = { name: Type.String() };
  const response = Type.Object({ ...named, friends: Type.Array(Type.Object(named)) });
  const querystring = Type.Object({ limit: Type.Optional(Type.Integer({ maximum: 9 })) });
  app.get('/', { schema: { querystring, response: { 200: response } } }, (request, reply) => {
    reply.header('x-query', JSON.stringify(request.query)).send(person);
  });
  const answer = await app.inject(url);
  await app.close();
  return answer;
}

test('texts of an address become what the schema says, or are refused', async () => {
  assert.equal((await ask('/?limit=7&other=1')).headers['x-query'], '{"limit":7,"other":"1"}');
  assert.equal((await ask('/')).headers['x-query'], '{}');
  for (const limit of ['10', 'seven']) {
    assert.equal((await ask(`/?limit=${limit}`)).statusCode, 400, limit);
  }
});

test('what the response schema does not name stays inside, and the value as it was', async () => {
  assert.deepEqual((await ask('/')).json(), { name: 'Ana', friends: [{ name: 'Eva' }] });
  assert.equal(person.secret, 'x');
  assert.equal(person.friends[0]?.secret, 'y');
});
