import { test } from 'node:test';
import { assertSameResponses } from '../../test/script/same-responses.ts';

test('both engines give the same responses to the same script', () => assertSameResponses(1));
