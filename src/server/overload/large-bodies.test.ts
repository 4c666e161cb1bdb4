import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';

const perAddress = 32;

for (const [what, length] of [
  ['of known length', 'Content-Length: 250000'],
  ['in chunks', 'Transfer-Encoding: chunked'],
] as const) {
  test(`an address can have ${perAddress} large bodies ${what} in memory at once`, async () => {
    await using forum = await Forum.start('sqlite');
    const { hostname, port } = new URL(forum.url);
    const answers: string[] = [];
    const begin = (localAddress: string) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress });
      socket.on('error', () => {});
      socket.on('data', (chunk) => answers.push(`${localAddress} ${chunk}`));
      const fields = ['Host: foro.example', 'Content-Type: application/json', length, '\r\n'];
      socket.write([`POST ${apiRoutes.signUp} HTTP/1.1`, ...fields].join('\r\n'));
      socket.write(
        length.startsWith('C') ? 'x'.repeat(200_000) : `30d40\r\n${'x'.repeat(200_000)}`,
      );
      return socket;
    };
    const sockets = Array.from({ length: perAddress + 8 }, () => begin('127.0.0.2'));
    await eventually('what exceeds the limit is refused', async () => answers.length >= 8);
    const other = begin('127.0.0.3');
    other.write(length.startsWith('C') ? 'x'.repeat(50_000) : '\r\n0\r\n\r\n');
    await eventually('another address is answered', async () => answers.length > 8);
    assert.deepEqual(
      answers
        .slice(0, 8)
        .filter((answer) => !/^127.0.0.2 HTTP\/1.1 429 .*retry-after: /is.test(answer)),
      [],
    );
    assert.match(answers[8] ?? '', /^127.0.0.3 HTTP\/1.1 400 /);
    assert.equal(answers.length, 9);

    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
    for (const socket of sockets) socket.destroy();
    other.destroy();
    await closed;
    const isServed = async () => {
      const body = { name: 'x'.repeat(100_000) };
      return (await forum.call('POST', apiRoutes.signUp, { body })).status === 400;
    };
    await eventually('the slots are free again', isServed);
  });
}
