import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { zipOf } from '../../../../test/attacks/hostile-files.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import type { Plan } from '../../../shared/moving-in.ts';
import { withAdmin } from './admin/with-admin.ts';
import { describeFailure } from './failures.ts';
import { runImport } from './import.ts';

onEngine('sqlite', 'tertulia import', (forum) => {
  async function run(file: string, planFile?: string, isUndone = false): Promise<string> {
    const lines: string[] = [];
    const { config, now } = forum().services;
    const parts = { config, now, actorName: 'ada', note: '', isNow: false };
    const asked = { confirm: async () => false, print: (line: string) => void lines.push(line) };
    try {
      await withAdmin({ ...parts, ...asked }, (admin) =>
        runImport(admin, { file, planFile, isUndone }),
      );
    } catch (error) {
      lines.push(String(describeFailure(error)));
    }
    return lines.join('\n');
  }

  test('says what it found and leaves a plan, brings it while the server runs, and takes it back', async () => {
    const { dataDir } = forum().services.config;
    const { db } = forum().services;
    const file = path.join(dataDir, 'Chat de WhatsApp con Coro.zip');
    const chat = [
      '15/3/22, 9:05 - Ana: hola',
      '15/3/22, 9:06 - +34 600 11 22 33: adiós',
      '15/3/22, 9:07 - Ana: <Multimedia omitido>',
    ].join('\n');
    await writeFile(file, zipOf({ 'Chat de WhatsApp con Coro.txt': chat }));
    assert.match(await run(file), /solo se trae a una comunidad que leen sus miembros/);
    await changeSettings(forum(), { readers: 'members', contact: 'Marga', zone: 'Europe/Madrid' });

    const found = await run(file);
    assert.match(
      found,
      /Grupo: Coro\nDel 2022-03-15 09:05:00 al 2022-03-15 09:06:00: 2 comentarios/,
    );
    assert.match(found, /Personas: Ana \(1\), Persona 1 \(1\)/);
    assert.match(found, /No viene: 1 foto o archivo, porque el chat se exportó sin él\./);
    assert.match(found, /no se ha escrito nada/);
    const planFile = `${file}.plan.json`;
    const plan = JSON.parse(await readFile(planFile, 'utf8')) as Plan;
    assert.deepEqual([plan.channel, plan.zone], ['Coro', 'Europe/Madrid']);
    assert.deepEqual(await db.selectFrom('imports').selectAll().execute(), []);
    const decided = JSON.stringify({ ...plan, dates: 'day-month', channel: 'El coro' });
    await writeFile(planFile, decided);
    assert.match(await run(file), /El plan ya estaba/);
    assert.equal(await readFile(planFile, 'utf8'), decided);

    assert.match(await run(file, planFile), /el canal necesita autor/);
    await staff(forum(), 'admin');
    const brought = /2 de 2 mensajes[\s\S]*En «El coro» hay 2 mensajes, 2 de ahora\./;
    assert.match(await run(file, planFile), brought);
    assert.match(await run(file, planFile), /hay 2 mensajes, 0 de ahora/);
    await writeFile(
      `${file}.otro.json`,
      decided.replace('"Ana","name":"Ana"', '"Eva","name":"Eva"'),
    );
    assert.match(await run(file, `${file}.otro.json`), /El plan no dice nada de Ana/);

    assert.match(await run(file, undefined, true), /El canal «El coro» se ha borrado/);
    assert.match(await run(file, undefined, true), /No hay ningún canal «El coro»/);
    assert.deepEqual(await db.selectFrom('imports').selectAll().execute(), []);
  });
});
